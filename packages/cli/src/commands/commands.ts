import type { DefineCommand } from './command.ts'

/** A command of the program. Its file is loaded only if it is called, because most of them need the whole server. */
export interface CommandEntry {
  readonly name: string
  /** The line in the program's help. */
  readonly description: string
  readonly load: () => Promise<{ readonly define: DefineCommand }>
}

/** Every command, in the order of the program's help. A new one is a line here and a file beside this one. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'serve',
    description: 'Start the gateway: change the address in your app, keep everything',
    load: () => import('./serve.ts'),
  },
  {
    name: 'console',
    description: 'Print an address of the web console that logs you in, once',
    load: () => import('./console.ts'),
  },
  { name: 'chat', description: 'Chat in the terminal, through the gateway', load: () => import('./chat.ts') },
  { name: 'threads', description: 'List the threads, the newest first', load: () => import('./threads.ts') },
  { name: 'show', description: 'Show what was said in a thread', load: () => import('./show.ts') },
  { name: 'search', description: 'Find what was said, by all of its words', load: () => import('./search.ts') },
  {
    name: 'state',
    description: 'Show a state of a thread, as its tool results tell it',
    load: () => import('./state.ts'),
  },
  { name: 'dump', description: 'Show exactly what the model saw', load: () => import('./dump.ts') },
  { name: 'explain', description: 'Show why the model saw what it saw', load: () => import('./explain.ts') },
  {
    name: 'replay',
    description: 'Show what the prompts of a thread would have been under other settings; calls no model',
    load: () => import('./replay.ts'),
  },
  { name: 'fork', description: 'Begin a new thread with what was said in another', load: () => import('./fork.ts') },
  {
    name: 'export',
    description: 'Write a thread as lines of JSON, which a book can restore; or a run of an experiment',
    load: () => import('./export.ts'),
  },
  {
    name: 'import',
    description: 'Restore a thread from its export: all of it, or nothing',
    load: () => import('./import.ts'),
  },
  {
    name: 'erase',
    description: 'Forget what was said in a thread; what remains of it says so',
    load: () => import('./erase.ts'),
  },
  {
    name: 'verify',
    description: 'Check every entry of a thread, and every prompt against its receipt',
    load: () => import('./verify.ts'),
  },
  { name: 'run', description: 'Run an experiment from a YAML file, and watch it', load: () => import('./run.ts') },
  {
    name: 'runs',
    description: 'List the runs of experiments, the newest first; show and steer them',
    load: () => import('./runs.ts'),
  },
  {
    name: 'compare',
    description: 'Compare two runs of experiments, round by round',
    load: () => import('./compare.ts'),
  },
  {
    name: 'doctor',
    description: 'Check upstream, windows, templates, counting, tools and store, and say what to change',
    load: () => import('./doctor.ts'),
  },
  {
    name: 'keys',
    description: 'List, make and revoke the keys by which others reach the server',
    load: () => import('./keys.ts'),
  },
  {
    name: 'migrate',
    description: 'Bring a database to the tables of this version, before its instances start',
    load: () => import('./migrate.ts'),
  },
  {
    name: 'completion',
    description: 'Print what lets a shell complete this command',
    load: () => import('./completion.ts'),
  },
]
