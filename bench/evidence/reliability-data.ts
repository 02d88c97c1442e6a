// Which faults are tried, by which tests, and what does a reader have to know of each?
import type { Provenance } from './provenance.ts'

/** What is in `bench/results/reliability.json`: for each fault test, its newest run that passed. */
export type ReliabilityData = Readonly<Record<string, FaultRun>>

export interface FaultRun extends Provenance {
  readonly counts: Readonly<Record<string, number>>
}

export interface FaultTest {
  readonly title: string
  readonly file: string
  /** The variable that says how long it is. */
  readonly setting: 'KILLS' | 'RESTARTS' | 'CONSISTENCY_SECONDS'
  /** What happens in it, and what is counted. */
  readonly says: string
}

export const faultTests: Readonly<Record<string, FaultTest>> = {
  crash: {
    title: 'An instance is killed while it runs turns',
    file: 'tests/endurance/postgres/crash.test.ts',
    setting: 'KILLS',
    says: 'Three instances run the turns of 20 threads on one Postgres; each turn calls two tools, and one of these may not run twice. Again and again one instance gets `kill -9`, and another takes its place. *Lost*: a message that is not recorded, or has no answer. *Doubled*: a message or an answer that is recorded twice; a tool that may not run twice and did is a finding, too. *Taken over*: turns that another instance continued, with the time from the kill to its first step.',
  },
  'team-kill': {
    title: 'One of two servers is killed while clients read',
    file: 'tests/endurance/server/team-kill.test.ts',
    setting: 'KILLS',
    says: 'Two servers on one Postgres, and eight clients that follow the streams of their turns over HTTP. The server in the middle of an answer gets `kill -9`; its clients go to the other one. *Shown differently*: turns whose client saw another text than the recorded one. The time is from the kill to the event that tells a client that its answer begins again.',
  },
  'team-rolling': {
    title: 'Servers are restarted one after the other',
    file: 'tests/endurance/server/team-rolling.test.ts',
    setting: 'RESTARTS',
    says: 'The same two servers behind the haproxy configuration of `deploy/`, with twelve clients, and one that lists threads all the time. Each server is stopped and started in turn, as in an upgrade.',
  },
  'gateway-kill': {
    title: 'The gateway is killed in the middle of chats',
    file: 'tests/endurance/server/kill.test.ts',
    setting: 'KILLS',
    says: 'One gateway with an SQLite file; six clients of OpenAI and Ollama, with and without streams. A third of the kills comes at any time, a third within an answer, a third when a client has just seen the end of one. An answer that looks complete to its client must be recorded.',
  },
  'kill-postgres': {
    title: 'Postgres is killed while it is written to',
    file: 'tests/endurance/postgres/kill-postgres.test.ts',
    setting: 'KILLS',
    says: 'Eight writers append to four threads while Postgres gets `kill -9` and is started again. An append without an answer is sent again. At the end the log of each thread is compared with what was acknowledged.',
  },
  consistency: {
    title: 'Many writers, and connections that are cut',
    file: 'tests/endurance/postgres/consistency.test.ts',
    setting: 'CONSISTENCY_SECONDS',
    says: 'Eight writers in three processes append to the same threads at once, while connections are cut at random. *Refused*: another writer was first. All operations are checked against five rules, such as: what one reader has seen, the next one sees, too.',
  },
}
