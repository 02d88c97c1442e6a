import type { DefineCommand } from './command.ts'

/** A command of the program. Its file is loaded only if it is called, because most of them need the whole server. */
export interface CommandEntry {
  readonly name: string
  /** The line in the program's help. */
  readonly description: string
  /** Whether a file can follow its name, because it only reads. */
  readonly reads?: true
  readonly load: () => Promise<{ readonly define: DefineCommand }>
}

/** Every command, in the order of the program's help. A new command is a line here and a file next to this one. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'serve',
    description: 'Start the gateway that your app connects to',
    load: () => import('./serve.ts'),
  },
  {
    name: 'console',
    description: 'Print a link to the web console; of a file: start the console over it',
    reads: true,
    load: () => import('./console.ts'),
  },
  { name: 'chat', description: 'Chat in the terminal, through the gateway', load: () => import('./chat.ts') },
  {
    name: 'wrap',
    description: 'Start a coding agent that uses the gateway: codex, opencode, pi or claude',
    load: () => import('./wrap.ts'),
  },
  { name: 'threads', description: 'List threads, the newest first', reads: true, load: () => import('./threads.ts') },
  { name: 'show', description: 'Show the messages of a thread', reads: true, load: () => import('./show.ts') },
  {
    name: 'search',
    description: 'Find messages that contain all of the given words',
    reads: true,
    load: () => import('./search.ts'),
  },
  {
    name: 'waiting',
    description: 'List tool calls that wait for a decision',
    reads: true,
    load: () => import('./waiting.ts'),
  },
  {
    name: 'decide',
    description: 'Decide about a tool call that waits, and show how its turn goes on',
    load: () => import('./decide.ts'),
  },
  {
    name: 'state',
    description: 'Show a state of a thread, computed from its tool results',
    reads: true,
    load: () => import('./state.ts'),
  },
  { name: 'dump', description: 'Show exactly what the model saw', reads: true, load: () => import('./dump.ts') },
  {
    name: 'explain',
    description: 'Show why the model saw what it saw',
    reads: true,
    load: () => import('./explain.ts'),
  },
  {
    name: 'cache',
    description: 'Show for each call why the prompt cache of the model server missed',
    reads: true,
    load: () => import('./cache.ts'),
  },
  {
    name: 'replay',
    description: 'Rebuild the prompts of a thread with other settings; calls no model',
    reads: true,
    load: () => import('./replay.ts'),
  },
  { name: 'pin', description: 'Pin a message, so that every later prompt has it', load: () => import('./pin.ts') },
  { name: 'unpin', description: 'Unpin a message', load: () => import('./pin.ts') },
  { name: 'rate', description: 'Rate the answer of a turn, comment on it, or tag it', load: () => import('./rate.ts') },
  { name: 'fork', description: 'Start a new thread from a copy of another', load: () => import('./fork.ts') },
  {
    name: 'export',
    description: 'Export a thread as JSON lines, or a run of an experiment',
    reads: true,
    load: () => import('./export.ts'),
  },
  {
    name: 'import',
    description: 'Restore a thread from its export: all of it, or nothing',
    load: () => import('./import.ts'),
  },
  {
    name: 'prune',
    description: 'List or remove threads without a new entry for long',
    load: () => import('./prune.ts'),
  },
  {
    name: 'erase',
    description: 'Erase a thread or some of its entries; this cannot be undone',
    load: () => import('./erase.ts'),
  },
  {
    name: 'verify',
    description: 'Check every entry of a thread, and every prompt against its receipt',
    reads: true,
    load: () => import('./verify.ts'),
  },
  { name: 'run', description: 'Run an experiment from a YAML file and watch it', load: () => import('./run.ts') },
  {
    name: 'runs',
    description: 'List, show and control the runs of experiments',
    load: () => import('./runs.ts'),
  },
  {
    name: 'compare',
    description: 'Compare two runs of experiments, round by round',
    load: () => import('./compare.ts'),
  },
  {
    name: 'doctor',
    description: 'Check upstream, windows, templates, token counts, tools and store, and suggest fixes',
    load: () => import('./doctor.ts'),
  },
  {
    name: 'keys',
    description: 'List, create and revoke API keys',
    load: () => import('./keys.ts'),
  },
  {
    name: 'migrate',
    description: 'Migrate the database schema',
    load: () => import('./migrate.ts'),
  },
  {
    name: 'completion',
    description: 'Print a shell completion script',
    load: () => import('./completion.ts'),
  },
]
