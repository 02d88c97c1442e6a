import type { DefineCommand } from './command.ts'

/** A command of the program. Its file is loaded only if it is called, because most of them need the whole server. */
export interface CommandEntry {
  readonly name: string
  /** The line in the program's help. */
  readonly description: string
  /** Under which heading the program's help lists it. */
  readonly group: 'Look' | 'Talk' | 'Experiments' | 'Operate'
  /** What follows `minutebook` in the example of its help. */
  readonly example: string
  /** Whether a file can follow its name, because it only reads. */
  readonly reads?: true
  readonly load: () => Promise<{ readonly define: DefineCommand }>
}

/** Every command, in the order of the program's help. A new command is a line here and a file next to this one. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'console',
    group: 'Look',
    example: 'console --data chat.db',
    description: 'Print a link to the web console; of a file: start the console over it',
    reads: true,
    load: () => import('./console.ts'),
  },
  {
    name: 'overview',
    group: 'Look',
    example: 'overview --last 7d',
    description: 'Show figures of all calls over time, and the threads that need a look',
    reads: true,
    load: () => import('./overview.ts'),
  },
  {
    name: 'threads',
    group: 'Look',
    example: 'threads --mark failed truncated',
    description: 'List threads, the newest first',
    reads: true,
    load: () => import('./threads.ts'),
  },
  {
    name: 'calls',
    group: 'Look',
    example: 'calls --follow --flag cut slow',
    description: 'List the model calls of all threads, the newest first, or follow them',
    reads: true,
    load: () => import('./calls.ts'),
  },
  {
    name: 'show',
    group: 'Look',
    example: 'show garden --full',
    description: 'Show the messages of a thread',
    reads: true,
    load: () => import('./show.ts'),
  },
  {
    name: 'search',
    group: 'Look',
    example: 'search wheelchair --limit 5',
    description: 'Find messages that contain all of the given words',
    reads: true,
    load: () => import('./search.ts'),
  },
  {
    name: 'state',
    group: 'Look',
    example: 'state cart garden',
    description: 'Show a state of a thread, computed from its tool results',
    reads: true,
    load: () => import('./state.ts'),
  },
  {
    name: 'dump',
    group: 'Look',
    example: 'dump garden 3',
    description: 'Show exactly what the model saw',
    reads: true,
    load: () => import('./dump.ts'),
  },
  {
    name: 'explain',
    group: 'Look',
    example: 'explain garden 3.2',
    description: 'Show why the model saw what it saw',
    reads: true,
    load: () => import('./explain.ts'),
  },
  {
    name: 'cache',
    group: 'Look',
    example: 'cache garden',
    description: 'Show for each call why the prompt cache of the model server missed',
    reads: true,
    load: () => import('./cache.ts'),
  },
  {
    name: 'replay',
    group: 'Look',
    example: 'replay garden --window 16384',
    description: 'Rebuild the prompts of a thread with other settings; calls no model',
    reads: true,
    load: () => import('./replay.ts'),
  },
  {
    name: 'chat',
    group: 'Talk',
    example: 'chat "What grows in the shade?"',
    description: 'Chat in the terminal, through the gateway',
    load: () => import('./chat.ts'),
  },
  {
    name: 'wrap',
    group: 'Talk',
    example: 'wrap codex',
    description: 'Start a coding agent that uses the gateway: codex, opencode, pi or claude',
    load: () => import('./wrap.ts'),
  },
  {
    name: 'waiting',
    group: 'Talk',
    example: 'waiting --limit 5',
    description: 'List tool calls that wait for a decision',
    reads: true,
    load: () => import('./waiting.ts'),
  },
  {
    name: 'decide',
    group: 'Talk',
    example: 'decide 3f2a9c01.0 --refuse "Too expensive."',
    description: 'Decide about a tool call that waits, and show how its turn goes on',
    load: () => import('./decide.ts'),
  },
  {
    name: 'pin',
    group: 'Talk',
    example: 'pin garden 3f2a9c01',
    description: 'Pin a message, so that every later prompt has it',
    load: () => import('./pin.ts'),
  },
  {
    name: 'unpin',
    group: 'Talk',
    example: 'unpin garden 3f2a9c01',
    description: 'Unpin a message',
    load: () => import('./pin.ts'),
  },
  {
    name: 'rate',
    group: 'Talk',
    example: 'rate garden 3 down --comment "It forgot the wheelchair."',
    description: 'Rate the answer of a turn, comment on it, or tag it',
    load: () => import('./rate.ts'),
  },
  {
    name: 'fork',
    group: 'Talk',
    example: 'fork garden --as winter',
    description: 'Start a new thread from a copy of another',
    load: () => import('./fork.ts'),
  },
  {
    name: 'run',
    group: 'Experiments',
    example: 'run stand.yaml --seed 4',
    description: 'Run an experiment from a YAML file and watch it',
    load: () => import('./run.ts'),
  },
  {
    name: 'runs',
    group: 'Experiments',
    example: 'runs fork stand-1 --round 10 --set participants.ann.model=gemma3:12b',
    description: 'List, show and control the runs of experiments',
    load: () => import('./runs.ts'),
  },
  {
    name: 'compare',
    group: 'Experiments',
    example: 'compare stand-1 stand-2',
    description: 'Compare runs of experiments: two round by round, up to 100 by their outcomes',
    load: () => import('./compare.ts'),
  },
  {
    name: 'serve',
    group: 'Operate',
    example: 'serve --upstream http://127.0.0.1:8080',
    description: 'Start the gateway that your app connects to',
    load: () => import('./serve.ts'),
  },
  {
    name: 'export',
    group: 'Operate',
    example: 'export garden -o garden.jsonl',
    description: 'Export a thread as JSON lines, or a run of an experiment',
    reads: true,
    load: () => import('./export.ts'),
  },
  {
    name: 'import',
    group: 'Operate',
    example: 'import garden.jsonl',
    description: 'Restore a thread from its export: all of it, or nothing',
    load: () => import('./import.ts'),
  },
  {
    name: 'backup',
    group: 'Operate',
    example: 'backup chat.db /backups/chat.db',
    description: 'Copy a record while a server writes to it, and check the copy',
    load: () => import('./backup.ts'),
  },
  {
    name: 'prune',
    group: 'Operate',
    example: 'prune --older-than 90d',
    description: 'List or remove threads without a new entry for long',
    load: () => import('./prune.ts'),
  },
  {
    name: 'erase',
    group: 'Operate',
    example: 'erase garden --entry 3f2a9c01',
    description: 'Erase a thread or some of its entries; this cannot be undone',
    load: () => import('./erase.ts'),
  },
  {
    name: 'verify',
    group: 'Operate',
    example: 'verify --all',
    description: 'Check every entry of a thread, and every prompt against its receipt',
    reads: true,
    load: () => import('./verify.ts'),
  },
  {
    name: 'doctor',
    group: 'Operate',
    example: 'doctor --model gemma3:4b',
    description: 'Check upstream, windows, templates, token counts, tools and store, and suggest fixes',
    load: () => import('./doctor.ts'),
  },
  {
    name: 'keys',
    group: 'Operate',
    example: 'keys create ann --scope viewer',
    description: 'List, create and revoke API keys',
    load: () => import('./keys.ts'),
  },
  {
    name: 'migrate',
    group: 'Operate',
    example: 'migrate --database postgres://localhost/minutebook',
    description: 'Migrate the database schema',
    load: () => import('./migrate.ts'),
  },
  {
    name: 'completion',
    group: 'Operate',
    example: 'completion bash',
    description: 'Print a shell completion script',
    load: () => import('./completion.ts'),
  },
]
