// Written by packages/client/generate from the OpenAPI document of the server. Do not edit.
export interface paths {
    readonly "/minutebook/v1": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** What server this is, and as whom one speaks to it */
        readonly get: operations["about"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/tools": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The tools that the operator has registered */
        readonly get: operations["listTools"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/threads": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The threads, the one that was written to last first */
        readonly get: operations["listThreads"];
        readonly put?: never;
        /** A new thread */
        readonly post: operations["createThread"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/threads/{thread}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** A thread in brief */
        readonly get: operations["getThread"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/threads/{thread}/setup": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        /** How the turns of a thread are run from now on */
        readonly put: operations["putSetup"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/threads/{thread}/entries": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * What was said on a branch: what people may see
         * @description With `hidden=1` also notes, journal, receipts and settings: that needs the scope admin.
         */
        readonly get: operations["listEntries"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/threads/{thread}/turns": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Says something, and has it answered
         * @description Answers as soon as the message is on record; some instance runs the turn, whoever leaves. With `Accept: text/event-stream` the answer is the stream of the turn.
         */
        readonly post: operations["sendTurn"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/threads/{thread}/retry": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Has the newest message answered again
         * @description After a failure where the turn stopped, after an answer on a branch of its own.
         */
        readonly post: operations["retryTurn"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/threads/{thread}/cancel": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Ends the turn that runs, on whatever instance
         * @description What was recorded stays. What waits behind it comes next. Turns of a run are ended by stopping the run.
         */
        readonly post: operations["cancelTurn"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/threads/{thread}/turns/{turn}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** A turn as it stands */
        readonly get: operations["getTurn"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/threads/{thread}/stream": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The thread as people see it, live
         * @description On whatever instance its turns run. Whoever loses the connection goes on from the position of the last event, here or on another instance. After `reset` the text of the running model call comes again from its beginning.
         */
        readonly get: operations["streamThread"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/threads/{thread}/relay": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Says something on a thread of the gateway, in its client’s place
         * @description Exactly one of `message`, `results` and `again`. The model and the tools are those of the newest call there; calls wait until their results are sent. To leave is to stop. With `Accept: text/event-stream` the text comes as it is written.
         */
        readonly post: operations["relayTurn"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/threads/{thread}/calls/{receipt}/prompts": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Sends a prompt exactly as it is, on a thread of its own
         * @description For trying a variant of a recorded prompt: the model and its options are those of the call. Nothing is compiled, so the receipt of the new call has the hash of these messages and tools. Tool calls wait until their results are sent to the new thread. To leave is to stop. With `Accept: text/event-stream` the text comes as it is written.
         */
        readonly post: operations["sendPrompt"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/threads/{thread}/receipts": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** What was kept of the model calls on the newest branch */
        readonly get: operations["listReceipts"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/threads/{thread}/dump": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Exactly what the model saw in a call */
        readonly get: operations["dumpCall"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/threads/{thread}/explain": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Why the model saw that */
        readonly get: operations["explainCall"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/threads/{thread}/verify": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Checks every entry and every prompt */
        readonly get: operations["verifyThread"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/threads/{thread}/replay": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * What the prompts would have been under other options
         * @description Calls no model, and writes nothing.
         */
        readonly post: operations["replayThread"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/threads/{thread}/state/{state}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** A state, as the results of its tools tell it */
        readonly get: operations["getState"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/search": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Entries that hold every word
         * @description The first million characters of an entry are searched. An answer has four million characters of texts at most.
         */
        readonly get: operations["search"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/threads/{thread}/fork": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** A new thread that begins with this one */
        readonly post: operations["forkThread"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/threads/{thread}/erase": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Forgets what entries said
         * @description The chain stays whole, and can still be verified. The answer says what went, and where bytes may remain.
         */
        readonly post: operations["eraseThread"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/threads/{thread}/export": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The log as lines of JSON */
        readonly get: operations["exportThread"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/threads/{thread}/import": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Restores a thread from an export
         * @description All of it, or nothing: an error names the line. The answer shows the records that came with it, such as a setup: from now on the turns of the thread are run so.
         */
        readonly post: operations["importThread"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/threads/{thread}/calls": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The model calls of a branch, in brief
         * @description Numbers only: nothing that was said.
         */
        readonly get: operations["listCalls"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/threads/{thread}/calls/{receipt}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * A model call: its window, and what became of every entry
         * @description Admins also see hidden entries, the prompt and its settings; for others these are left out and counted.
         */
        readonly get: operations["inspectCall"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/threads/{thread}/counts": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * What the counter of a thread counted
         * @description For those who make its prompts once more without that counter.
         */
        readonly get: operations["listCounts"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/experiments/check": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * What is wrong with the definition of an experiment
         * @description Begins nothing. A text of YAML is answered with lines.
         */
        readonly post: operations["checkExperiment"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/runs": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The runs, the newest first */
        readonly get: operations["listRuns"];
        readonly put?: never;
        /**
         * Begins a run of an experiment
         * @description Its tools are made of expressions, or are those that the operator has registered.
         */
        readonly post: operations["beginRun"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/runs/compare": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Two runs beside each other, round by round */
        readonly get: operations["compareRuns"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/runs/{run}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * A run: who did what in each round, and what the environment was
         * @description Viewers see neither the definition nor variables that no participant sees; the latter are counted.
         */
        readonly get: operations["getRun"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/runs/{run}/events": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * A run, live
         * @description On whatever instance it goes on. Whoever loses the connection comes again and gets all of it.
         */
        readonly get: operations["watchRun"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/runs/{run}/pause": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * No further turn begins
         * @description Turns under way are finished.
         */
        readonly post: operations["pauseRun"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/runs/{run}/resume": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * A run that was paused goes on
         * @description Where it was.
         */
        readonly post: operations["resumeRun"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/runs/{run}/stop": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Ends a run
         * @description Turns under way are asked to stop.
         */
        readonly post: operations["stopRun"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/runs/{run}/retry": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Goes on with a run that failed or was stopped
         * @description Where it was; what is on record is not done again.
         */
        readonly post: operations["retryRun"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/runs/{run}/fork": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** A new run that did what this one did before a round, and goes on with a change */
        readonly post: operations["forkRun"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/runs/{run}/manifest": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** What a run was really made with */
        readonly get: operations["getManifest"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/runs/{run}/export": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** A run as lines: every event, or a table of its turns */
        readonly get: operations["exportRun"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/policies": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The policies: presets, those of the settings, and those on record */
        readonly get: operations["listPolicies"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/policies/{policy}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        /** Puts a policy on record, for the threads of this tenant */
        readonly put: operations["putPolicy"];
        readonly post?: never;
        /**
         * Takes a policy off the record
         * @description Threads that name it go on under the policy of the server.
         */
        readonly delete: operations["deletePolicy"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/keys": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The keys, without what they are */
        readonly get: operations["listKeys"];
        readonly put?: never;
        /** A new key */
        readonly post: operations["createKey"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/minutebook/v1/keys/{key}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /**
         * Revokes a key
         * @description Every instance heeds that within a few seconds.
         */
        readonly delete: operations["revokeKey"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        readonly StreamEvent: {
            /**
             * @description The message is on record.
             * @enum {string}
             */
            readonly event: "recorded";
            /**
             * @description The position from which a stream can be resumed. Not on `call` and `result`: they come again with their entry.
             * @example 3.1.24
             */
            readonly id?: string;
            readonly data: components["schemas"]["Turn"];
        } | {
            /**
             * @description A piece of what the running model call says, to be put at `offset`.
             * @enum {string}
             */
            readonly event: "text";
            /**
             * @description The position from which a stream can be resumed. Not on `call` and `result`: they come again with their entry.
             * @example 3.1.24
             */
            readonly id?: string;
            readonly data: {
                readonly term: number;
                readonly offset: number;
                readonly text: string;
            };
        } | {
            /**
             * @description The text so far of the running model call is void.
             * @enum {string}
             */
            readonly event: "reset";
            /**
             * @description The position from which a stream can be resumed. Not on `call` and `result`: they come again with their entry.
             * @example 3.1.24
             */
            readonly id?: string;
            readonly data: {
                readonly term: number;
            };
        } | {
            /**
             * @description The model calls a tool.
             * @enum {string}
             */
            readonly event: "call";
            /**
             * @description The position from which a stream can be resumed. Not on `call` and `result`: they come again with their entry.
             * @example 3.1.24
             */
            readonly id?: string;
            readonly data: {
                readonly entry: string;
                readonly call: {
                    readonly id?: string;
                    readonly name: string;
                    readonly arguments?: unknown;
                };
            };
        } | {
            /**
             * @description A tool has answered.
             * @enum {string}
             */
            readonly event: "result";
            /**
             * @description The position from which a stream can be resumed. Not on `call` and `result`: they come again with their entry.
             * @example 3.1.24
             */
            readonly id?: string;
            readonly data: {
                readonly entry: string;
                readonly call: {
                    readonly id?: string;
                    readonly name?: string;
                };
                readonly status: string;
                readonly text: string;
            };
        } | {
            /**
             * @description An entry that people see. It takes the place of the text that was shown.
             * @enum {string}
             */
            readonly event: "entry";
            /**
             * @description The position from which a stream can be resumed. Not on `call` and `result`: they come again with their entry.
             * @example 3.1.24
             */
            readonly id?: string;
            readonly data: components["schemas"]["Entry"];
        } | {
            /**
             * @description A turn is over. Its `turn` is null where nothing was ever said.
             * @enum {string}
             */
            readonly event: "end";
            /**
             * @description The position from which a stream can be resumed. Not on `call` and `result`: they come again with their entry.
             * @example 3.1.24
             */
            readonly id?: string;
            readonly data: {
                /** @enum {string} */
                readonly status: "waiting" | "running" | "complete" | "partial" | "cancelled" | "failed";
                readonly turn: string | null;
                readonly answer: string | null;
                readonly reason?: {
                    readonly code: string;
                    readonly message: string;
                };
            };
        };
        readonly Turn: {
            readonly thread: string;
            /** @description The id of its user entry; null while the message waits. */
            readonly turn: string | null;
            /** @description The entry of a message that waits. */
            readonly pending: string | null;
            /** @enum {string} */
            readonly status: "waiting" | "running" | "complete" | "partial" | "cancelled" | "failed";
            /** @description The entry of the answer. */
            readonly answer: string | null;
            /** @description What people see of the answer, once there is one. */
            readonly text: string;
            /** @description Why it ended without an answer. */
            readonly reason?: {
                readonly code: string;
                readonly message: string;
            };
            readonly window?: components["schemas"]["WindowShortfall"];
            /**
             * @description From where its stream can be followed: `?from=` of the stream.
             * @example 3.0.0
             */
            readonly position: string;
        };
        /** @description There only if the thread asks for a larger window than its model has. */
        readonly WindowShortfall: {
            /**
             * @description Tokens that the setup asks for.
             * @example 4096
             */
            readonly asked: number;
            /**
             * @description Tokens that the model has.
             * @example 2048
             */
            readonly given: number;
            /**
             * @description Who says so.
             * @example /api/ps
             */
            readonly source: string;
            /** @description The same in words, and what to do. */
            readonly reason: string;
        };
        readonly Entry: {
            /**
             * @description The id of an entry.
             * @example 9f2c4e…
             */
            readonly id: string;
            readonly parent: string | null;
            /** @description Its place in the log, from 0, without gaps; hidden entries have one too. */
            readonly seq: number;
            /** @enum {string} */
            readonly kind: "system" | "user" | "assistant" | "tool" | "note" | "journal" | "pending" | "stop" | "settings" | "receipt" | "revocation" | "retry" | "form" | "event";
            /**
             * @description Who wrote it, known from the channel and never from the text.
             * @enum {string}
             */
            readonly origin: "operator" | "user" | "model" | "tool" | "import" | "minutebook";
            /** @enum {string} */
            readonly status: "complete" | "partial" | "cancelled" | "failed" | "erased";
            readonly text: string;
            readonly calls: readonly components["schemas"]["Call"][];
            /** @description How many images came with it: they are not shown. */
            readonly images: number;
            /** @description Of a tool result: the call that it answers. */
            readonly answers?: {
                readonly id?: string;
                readonly name?: string;
            };
            readonly speaker?: string;
            readonly time?: string;
            /** @description Of a user entry: which turn of the branch it began, from 1. */
            readonly turn?: number;
            /** @description Heads of branches that went another way here, the newest first: of each other way its newest. */
            readonly elsewhere?: readonly string[];
            /** @description On a thread of the gateway: whether it was said in the console, or answered to that. */
            readonly console?: boolean;
        };
        readonly Call: {
            readonly id?: string;
            /** @example weather */
            readonly name: string;
            /** @description A JSON text or a value, as the model gave it. */
            readonly arguments?: unknown;
        };
        readonly About: {
            readonly name: string;
            /** @description Whose threads the key reads and writes. */
            readonly tenant: string;
            readonly scope: string;
            /**
             * @description What let you in: a key, the token of the local operator, or nothing at all.
             * @enum {string}
             */
            readonly shown: "key" | "token" | "nothing";
            /** @enum {string} */
            readonly store: "sqlite" | "postgres";
            readonly defaultModel: string | null;
            /** @description The states that can be read. */
            readonly states: readonly string[];
            /** @description For the operator of the installation. */
            readonly upstreams?: readonly ({
                readonly url: string;
            } & {
                readonly [key: string]: unknown;
            })[];
            /** @description The folder of the server. For the operator of the installation. */
            readonly data?: string;
        };
        readonly Error: {
            readonly error: {
                /**
                 * @description For programs.
                 * @example unknown_thread
                 */
                readonly code: string;
                /** @description What is wrong. */
                readonly message: string;
                /** @description What to do about it. */
                readonly fix: string;
                /** @description Of a definition: everything that is wrong with it. */
                readonly problems?: readonly ({
                    readonly field: string;
                    readonly problem: string;
                    readonly fix: string;
                } & {
                    readonly [key: string]: unknown;
                })[];
                /** @description Of a prompt: the window that it was made for, the one that the model has, who says so, and whether the model server can load it with the former. */
                readonly window?: {
                    readonly asked: number;
                    readonly given: number;
                    readonly source: string;
                    readonly canLoad: boolean;
                };
            };
        };
        readonly ToolList: {
            readonly tools: readonly {
                readonly name: string;
                readonly description?: string;
                readonly parameters: {
                    readonly [key: string]: unknown;
                };
            }[];
        };
        readonly ThreadList: {
            readonly threads: readonly components["schemas"]["ThreadSummary"][];
            /** @description Pass it as `after` for the next page. Not there on the last one. */
            readonly next?: string;
        };
        readonly ThreadSummary: {
            /** @example garden */
            readonly thread: string;
            /**
             * @description The first words of the first question.
             * @example What grows in the shade?
             */
            readonly title: string | null;
            /** @example gemma3:4b */
            readonly model: string | null;
            /** @example 7 */
            readonly entries: number;
            /**
             * @description When its newest entry was written.
             * @example 2026-11-15T12:00:00.000Z
             */
            readonly time: string | null;
            /** @description What is worth knowing before it is opened. */
            readonly marks: readonly ("truncated" | "overflow" | "failed" | "partial" | "console")[];
            /** @description Whether it was one question through the gateway and nothing more, such as for a title. */
            readonly oneOff: boolean;
            /** @description Whether it came through the gateway: then its client runs its tools. */
            readonly relayed: boolean;
        };
        readonly Thread: {
            /** @example garden */
            readonly thread: string;
            /**
             * @description The first words of the first question.
             * @example What grows in the shade?
             */
            readonly title: string | null;
            /** @example gemma3:4b */
            readonly model: string | null;
            /** @example 7 */
            readonly entries: number;
            /**
             * @description When its newest entry was written.
             * @example 2026-11-15T12:00:00.000Z
             */
            readonly time: string | null;
            /** @description What is worth knowing before it is opened. */
            readonly marks: readonly ("truncated" | "overflow" | "failed" | "partial" | "console")[];
            /** @description Whether it was one question through the gateway and nothing more, such as for a title. */
            readonly oneOff: boolean;
            /** @description Whether it came through the gateway: then its client runs its tools. */
            readonly relayed: boolean;
            readonly head: string | null;
            readonly setup?: {
                /**
                 * @description The model that answers: the default of the server unless told.
                 * @example gemma3:4b
                 */
                readonly model?: string;
                /**
                 * @description Stands first in every prompt.
                 * @example You help with a garden.
                 */
                readonly system?: string;
                /**
                 * @description Names of tools that the operator has registered.
                 * @example [
                 *       "weather"
                 *     ]
                 */
                readonly tools?: readonly string[];
                /**
                 * @description The name of a policy.
                 * @example default
                 */
                readonly policy?: string;
                /**
                 * @description In tokens. Default: the model’s own. It is never more than that: the thread and its turns say in `window` if it asks for more.
                 * @example 4096
                 */
                readonly window?: number;
                /**
                 * @description Tokens that are kept free for the answer.
                 * @example 512
                 */
                readonly reserve?: number;
            };
            readonly window?: components["schemas"]["WindowShortfall"];
        };
        /**
         * @example {
         *       "thread": "garden",
         *       "setup": {
         *         "system": "You help with a garden."
         *       }
         *     }
         */
        readonly NewThread: {
            /**
             * @description Its name: one is made up unless told.
             * @example garden
             */
            readonly thread?: string;
            readonly setup?: {
                /**
                 * @description The model that answers: the default of the server unless told.
                 * @example gemma3:4b
                 */
                readonly model?: string;
                /**
                 * @description Stands first in every prompt.
                 * @example You help with a garden.
                 */
                readonly system?: string;
                /**
                 * @description Names of tools that the operator has registered.
                 * @example [
                 *       "weather"
                 *     ]
                 */
                readonly tools?: readonly string[];
                /**
                 * @description The name of a policy.
                 * @example default
                 */
                readonly policy?: string;
                /**
                 * @description In tokens. Default: the model’s own. It is never more than that: the thread and its turns say in `window` if it asks for more.
                 * @example 4096
                 */
                readonly window?: number;
                /**
                 * @description Tokens that are kept free for the answer.
                 * @example 512
                 */
                readonly reserve?: number;
            };
        };
        /**
         * @example {
         *       "model": "gemma3:4b",
         *       "system": "You help with a garden."
         *     }
         */
        readonly Setup: {
            /**
             * @description The model that answers: the default of the server unless told.
             * @example gemma3:4b
             */
            readonly model?: string;
            /**
             * @description Stands first in every prompt.
             * @example You help with a garden.
             */
            readonly system?: string;
            /**
             * @description Names of tools that the operator has registered.
             * @example [
             *       "weather"
             *     ]
             */
            readonly tools?: readonly string[];
            /**
             * @description The name of a policy.
             * @example default
             */
            readonly policy?: string;
            /**
             * @description In tokens. Default: the model’s own. It is never more than that: the thread and its turns say in `window` if it asks for more.
             * @example 4096
             */
            readonly window?: number;
            /**
             * @description Tokens that are kept free for the answer.
             * @example 512
             */
            readonly reserve?: number;
        };
        readonly Entries: {
            readonly thread: string;
            /** @description The newest entry of the branch; empty where nothing was said yet. */
            readonly head: string;
            /** @description The heads of all branches, the newest first. */
            readonly branches: readonly string[];
            readonly entries: readonly components["schemas"]["Entry"][];
            /** @description How many entries of the branch are left out. */
            readonly hidden: number;
        };
        /**
         * @example {
         *       "message": "What grows in the shade?",
         *       "id": "d4f1"
         *     }
         */
        readonly NewTurn: {
            /** @description Text, or parts: text and images. */
            readonly message: string | readonly components["schemas"]["MessagePart"][];
            /**
             * @description Your own id for the message: sending it again with the same one is not saying it again.
             * @example d4f1
             */
            readonly id?: string;
            /** @description The entry to go on from, where it is not the newest: an edited message makes a branch. Null: from the beginning. */
            readonly after?: string | null;
            /**
             * @description While a turn runs: `reject` (unless told) answers 409, `queue` waits, `interrupt` ends the one that runs.
             * @enum {string}
             */
            readonly ifBusy?: "reject" | "queue" | "interrupt";
            /**
             * @description Answers from now on.
             * @example gemma3:4b
             */
            readonly model?: string;
            /** @description Fits conversations from now on. */
            readonly policy?: string;
            /** @description Who says it, where several people do. */
            readonly speaker?: string;
        };
        readonly MessagePart: {
            /** @enum {string} */
            readonly type: "text";
            readonly text: string;
        } | {
            /** @enum {string} */
            readonly type: "image_url";
            readonly image_url: {
                /** @example data:image/png;base64,iVBORw0KGgo= */
                readonly url: string;
            };
        };
        readonly Cancelled: {
            /** @description Whether a turn was running. */
            readonly cancelled: boolean;
        };
        /**
         * @example {
         *       "message": "What grows in the shade?"
         *     }
         */
        readonly RelayTurn: {
            /** @description What is said. */
            readonly message?: string;
            /** @description Results of the calls that the branch ends with, in their order. */
            readonly results?: readonly {
                readonly id?: string;
                readonly name?: string;
                readonly text: string;
            }[];
            /** @description The id of a user entry that is to be answered once more. */
            readonly again?: string;
            /** @description The entry to go on from: the newest unless told. Null: from the beginning. */
            readonly after?: string | null;
            /** @description Your own id for it: sending it again with the same one is not saying it again. */
            readonly id?: string;
        };
        /**
         * @example {
         *       "messages": [
         *         {
         *           "role": "user",
         *           "content": "What grows in the shade?"
         *         }
         *       ],
         *       "window": 4096
         *     }
         */
        readonly AskedPrompt: {
            /** @description In the shape of the protocol that the call was made by. */
            readonly messages: readonly ({
                readonly role: string;
            } & {
                readonly [key: string]: unknown;
            })[];
            readonly tools?: readonly ({
                readonly type: string;
            } & {
                readonly [key: string]: unknown;
            })[];
            /**
             * @description Tokens that the prompt was made for.
             * @example 4096
             */
            readonly window: number;
            /** @description Have an Ollama server load the model with this window, if it has a smaller one. Default: the prompt is refused with `window_too_small`. */
            readonly load?: boolean;
        };
        readonly Receipts: {
            readonly receipts: readonly components["schemas"]["Receipt"][];
        };
        readonly Receipt: {
            /** @description The entry that keeps it. */
            readonly id: string;
            readonly seq: number;
            readonly version: number;
            /** @description The entry that the prompt ends with. */
            readonly head: string;
            /** @description SHA-256 of the canonical JSON of the request’s messages and tools. */
            readonly hash: string;
            readonly tokens: {
                /** @description What was sent, by our own count. */
                readonly predicted: number;
                readonly reused: number;
                readonly reported: {
                    /** @description What the server says it read. */
                    readonly prompt?: number;
                    readonly completion?: number;
                    readonly cached?: number;
                } & {
                    readonly [key: string]: unknown;
                };
            } & {
                readonly [key: string]: unknown;
            };
            readonly epoch: number;
            /** @description How many entries had each verdict. */
            readonly verdicts: {
                readonly [key: string]: number;
            };
            /** @description What became of the question and of the other entries of its turn. There only if not all of them were sent whole. */
            readonly turn?: {
                readonly question: string;
                readonly verdicts: {
                    readonly [key: string]: number;
                };
            };
            /** @description The window that was asked for, and the one that the model has. There only if that is smaller. */
            readonly window?: {
                readonly asked: number;
                readonly given: number;
                readonly source: string;
            };
            /** @description How the call ended. `refused`: the upstream has a smaller window, and the question was sent again in one that fits. */
            readonly outcome: string;
            /** @description Of a call that was refused: the window that the upstream named, and what it counted in the prompt. */
            readonly told?: {
                readonly window?: number;
                readonly prompt?: number;
            } & {
                readonly [key: string]: unknown;
            };
            /** @description Who said how large the window is. `assumed`: nobody. */
            readonly windowSource?: string;
            /**
             * @description Whether the server left out a part of what it was sent, by its own counts of this and earlier calls. `unknown`: its counts cannot tell.
             * @enum {string}
             */
            readonly truncated?: "yes" | "no" | "unknown";
        } & {
            readonly [key: string]: unknown;
        };
        readonly Dump: {
            readonly thread: string;
            /** @description The number of its turn on the newest branch; null where it is on another. */
            readonly turn: number | null;
            readonly model: string | null;
            readonly receipt: components["schemas"]["Receipt"];
            /** @description Exactly what was sent. */
            readonly messages: readonly ({
                readonly role: string;
            } & {
                readonly [key: string]: unknown;
            })[];
            readonly tools: readonly ({
                readonly type: string;
            } & {
                readonly [key: string]: unknown;
            })[];
            /** @description The same for people, escaped. */
            readonly text: string;
            readonly hash: string;
            /** @description Whether it is the very prompt that was sent, by its hash. */
            readonly same: boolean;
            /** @description Whether something that it was made of, or may have been made of, was erased since. */
            readonly erased: boolean;
        };
        readonly Explanation: {
            readonly thread: string;
            /** @description The number of its turn on the newest branch; null where it is on another. */
            readonly turn: number | null;
            readonly model: string | null;
            readonly receipt: components["schemas"]["Receipt"];
            /** @description What the window was used for, in the order of the prompt. */
            readonly shares: readonly {
                readonly name: string;
                readonly tokens: number;
            }[];
            readonly plan: {
                readonly policy: string;
                readonly counter: string;
                readonly window: number;
                readonly tokens: number;
                readonly parts: readonly {
                    readonly [key: string]: unknown;
                }[];
                readonly spans: readonly ({
                    readonly verdict: string;
                } & {
                    readonly [key: string]: unknown;
                })[];
            } & {
                readonly [key: string]: unknown;
            };
            readonly same: boolean;
            /** @description Whether something that it was made of, or may have been made of, was erased since. */
            readonly erased: boolean;
        };
        readonly Verification: {
            readonly thread: string;
            /** @description Whether there are no problems. */
            readonly ok: boolean;
            readonly entries: number;
            /** @description Model calls whose prompt was derived again and is the one that was sent. */
            readonly prompts: number;
            /** @description Model calls whose prompt cannot be derived: something in it was erased, or a counter is not at hand. */
            readonly underivable: number;
            readonly problems: readonly {
                readonly seq: number;
                readonly problem: string;
                /**
                 * @description `entry`: the store does not hold what was written; restore it. `prompt`: the entries are as they were written, and yet a derived prompt differs from the one that was sent: a fault of Minutebook.
                 * @enum {string}
                 */
                readonly of: "entry" | "prompt";
            }[];
        };
        readonly Replay: {
            readonly calls: readonly {
                readonly receipt: string;
                readonly head: string;
                readonly tokens: {
                    readonly sent: number;
                    readonly replayed: number;
                    readonly reused: number;
                };
                readonly messages: number;
                /** @description Whether it is the prompt that was sent. */
                readonly same: boolean;
                readonly verdicts: {
                    readonly [key: string]: number;
                };
            }[];
        };
        /**
         * @example {
         *       "window": 2048
         *     }
         */
        readonly ReplayChanges: {
            readonly window?: number;
            readonly reserve?: number;
            /** @description The name of a policy. */
            readonly policy?: string;
        };
        readonly State: {
            readonly thread: string;
            readonly name: string;
            /** @description Null where no result counts. */
            readonly value?: unknown;
        };
        readonly Found: {
            /** @description The newest first. */
            readonly found: readonly {
                readonly thread: string;
                readonly id: string;
                readonly seq: number;
                readonly text: string;
            }[];
        };
        /**
         * @example {
         *       "as": "garden-2"
         *     }
         */
        readonly Fork: {
            /**
             * @description The name of the new thread: one is made up unless told.
             * @example garden-2
             */
            readonly as?: string;
            /** @description The entry that it ends with: the newest unless told. */
            readonly at?: string;
        };
        readonly Erasure: {
            readonly thread: string;
            /** @description The entries that are tombstones now and were not before. */
            readonly erased: readonly string[];
            readonly snapshots: number;
            readonly records: number;
            /** @description Long images that no other entry of the thread holds. */
            readonly images: number;
            /** @description What remains: hashes, and where bytes may be left, with how to end that. */
            readonly remains: readonly string[];
        };
        /**
         * @example {
         *       "entries": [
         *         "9f2c4e"
         *       ]
         *     }
         */
        readonly Erase: {
            /** @description Ids of entries. Without any: all that the thread says. */
            readonly entries?: readonly string[];
        };
        readonly ImportedThread: {
            /** @example garden */
            readonly thread: string;
            /**
             * @description The first words of the first question.
             * @example What grows in the shade?
             */
            readonly title: string | null;
            /** @example gemma3:4b */
            readonly model: string | null;
            /** @example 7 */
            readonly entries: number;
            /**
             * @description When its newest entry was written.
             * @example 2026-11-15T12:00:00.000Z
             */
            readonly time: string | null;
            /** @description What is worth knowing before it is opened. */
            readonly marks: readonly ("truncated" | "overflow" | "failed" | "partial" | "console")[];
            /** @description Whether it was one question through the gateway and nothing more, such as for a title. */
            readonly oneOff: boolean;
            /** @description Whether it came through the gateway: then its client runs its tools. */
            readonly relayed: boolean;
            /** @description Records that were imported with the entries. */
            readonly records: readonly {
                readonly name: string;
                readonly key: string;
                readonly value?: unknown;
            }[];
        };
        readonly Calls: {
            readonly calls: readonly {
                readonly receipt: components["schemas"]["Receipt"];
                /** @description The number of its turn on the branch, from 1. */
                readonly turn: number;
                /** @description The user entry of that turn. */
                readonly question: string | null;
                readonly model: string | null;
                readonly window: number | null;
                readonly reserve: number | null;
                readonly policy: string | null;
            }[];
        };
        readonly Inspection: {
            readonly thread: string;
            readonly turn: number | null;
            readonly model: string | null;
            readonly receipt: components["schemas"]["Receipt"];
            readonly window: number;
            readonly reserve: number;
            /** @description What the whole prompt costs by the counter. */
            readonly tokens: number;
            readonly overflow: number;
            readonly counter: string;
            readonly policy: string;
            /** @description What the window was used for, in the order of the prompt. */
            readonly shares: readonly {
                readonly name: string;
                readonly tokens: number;
            }[];
            /** @description Every entry, and what became of it. */
            readonly entries: readonly {
                /**
                 * @description The id of an entry.
                 * @example 9f2c4e…
                 */
                readonly id: string;
                readonly seq: number;
                /** @enum {string} */
                readonly kind: "system" | "user" | "assistant" | "tool" | "note" | "journal" | "pending" | "stop" | "settings" | "receipt" | "revocation" | "retry" | "form" | "event";
                /** @enum {string|null} */
                readonly tier: "system" | "pinned" | "notes" | "outline" | "marker" | "verbatim" | "recall" | "current" | null;
                readonly tokens: number;
                readonly reason: string;
                readonly title: string;
                /** @enum {string} */
                readonly verdict: "verbatim" | "clipped" | "recalled" | "digested" | "outlined" | "omitted" | "hidden";
            }[];
            /** @description The messages of the prompt, each with the stretches it is made of. */
            readonly messages: readonly {
                readonly role: string;
                readonly tokens: number;
                readonly pieces: readonly {
                    readonly label: string;
                    /** @enum {string|null} */
                    readonly tier: "system" | "pinned" | "notes" | "outline" | "marker" | "verbatim" | "recall" | "current" | null;
                    readonly entries: readonly string[];
                    readonly tokens: number;
                    readonly text?: string;
                }[];
            }[];
            /** @description How many messages stood at the beginning of the prompt before, byte for byte. */
            readonly reused: number;
            readonly hash: string;
            /** @description Whether it is the very prompt that was sent, by its hash. */
            readonly same: boolean;
            /** @description Whether something that it was made of, or may have been made of, was erased since. */
            readonly erased: boolean;
            /** @description What is left out, because the key may not see it. */
            readonly hidden: {
                readonly entries: number;
                readonly messages: number;
                readonly tools: number;
            };
            /** @description For admins: exactly what was sent, and under what. */
            readonly sent?: {
                readonly messages: readonly ({
                    readonly role: string;
                } & {
                    readonly [key: string]: unknown;
                })[];
                readonly tools: readonly ({
                    readonly type: string;
                } & {
                    readonly [key: string]: unknown;
                })[];
                readonly text: string;
                readonly under: {
                    readonly policy: ({
                        readonly name: string;
                    } & {
                        readonly [key: string]: unknown;
                    }) | null;
                    readonly profile: {
                        readonly [key: string]: unknown;
                    };
                    readonly wire: string | null;
                };
            };
        };
        readonly Counts: {
            /** @description Null: the estimator, which is at hand everywhere. */
            readonly counter: {
                readonly name: string;
                readonly overhead: number | ({
                    readonly message: number;
                } & {
                    readonly [key: string]: unknown;
                });
            } | null;
            /** @description By the first 16 hexadecimal digits of the SHA-256 of a text. */
            readonly counts: {
                readonly [key: string]: number;
            };
        };
        readonly CheckedExperiment: {
            /** @description None: it can be run. */
            readonly problems: readonly components["schemas"]["ExperimentProblem"][];
        };
        readonly ExperimentProblem: {
            /** @description From 1; of a text. */
            readonly line?: number;
            readonly column?: number;
            /** @example participants.ann.sees[0] */
            readonly field: string;
            readonly problem: string;
            readonly fix: string;
        };
        /**
         * @example {
         *       "definition": "name: counting\nenvironment: { total: 0 }\nparticipants: { ann: { model: \"gemma3:4b\", tools: [add] } }\ntools: { add: { changes: { total: total + 1 } } }\ngoals: { success: { ten: total >= 10 } }\n"
         *     }
         */
        readonly CheckExperiment: {
            /** @description The experiment: as data, or as a text of YAML. */
            readonly definition: string | {
                readonly [key: string]: unknown;
            };
        };
        readonly RunList: {
            readonly runs: readonly components["schemas"]["RunSummary"][];
            /** @description Pass it as `after` for the next page. Not there on the last one. */
            readonly next?: string;
        };
        readonly RunSummary: {
            /** @example stand-k3v9x2 */
            readonly run: string;
            /**
             * @description Of the experiment.
             * @example lemonade stand
             */
            readonly name: string;
            readonly seed: number;
            /** @enum {string} */
            readonly status: "running" | "paused" | "stopping" | "success" | "failure" | "limit" | "stopped" | "error";
            /** @description Why it is over: the goal that was reached, or the limit. */
            readonly reason?: string;
            readonly began?: string;
            /** @description When something last happened. */
            readonly changed?: string;
            /** @description The run whose answers are given again, in place of asking models. */
            readonly answers?: string;
            /** @description Where it was taken from another run: what that did before this round, it did too. */
            readonly forked?: {
                readonly run: string;
                readonly round: number;
            };
            readonly spending: components["schemas"]["Spending"];
            /** @description How many rounds it may have. */
            readonly limit: number | null;
            /** @description The one that is played, or was last; 0 before the first. */
            readonly round: number;
        };
        readonly Spending: {
            readonly calls: number;
            readonly prompt: number;
            readonly completion: number;
            /** @description Where every model has a price. */
            readonly cost?: number;
        };
        /**
         * @example {
         *       "definition": "name: counting\nenvironment: { total: 0 }\nparticipants: { ann: { model: \"gemma3:4b\", tools: [add] } }\ntools: { add: { changes: { total: total + 1 } } }\ngoals: { success: { ten: total >= 10 } }\n",
         *       "run": "counting-1"
         *     }
         */
        readonly NewRun: {
            /** @description The experiment: as data, or as a text of YAML. */
            readonly definition: string | {
                readonly [key: string]: unknown;
            };
            /**
             * @description Its name: one is made up unless told.
             * @example stand-k3v9x2
             */
            readonly run?: string;
            /** @description All chance comes from it: as the definition has it unless told. */
            readonly seed?: number;
            /**
             * @description A run whose answers are given again, in place of asking models.
             * @example stand-k3v9x2
             */
            readonly answers?: string;
        };
        readonly RunComparison: {
            readonly left: string;
            readonly right: string;
            /** @description The first round in which anything differs. */
            readonly parts?: number;
            /** @description The fields of the definitions that differ, and the seeds. For the scopes app and admin. */
            readonly changes?: readonly {
                /** @example participants.ann.model.options.temperature */
                readonly path: string;
                readonly left?: unknown;
                readonly right?: unknown;
            }[];
            readonly rounds: readonly {
                readonly round: number;
                readonly isSame: boolean;
                /** @enum {string} */
                readonly in: "both" | "left" | "right";
                readonly environment: readonly {
                    readonly name: string;
                    readonly left?: unknown;
                    readonly right?: unknown;
                }[];
                readonly turns: readonly {
                    readonly participant: string;
                    readonly turn: number;
                    /** @enum {string} */
                    readonly prompts: "same" | "other";
                    /**
                     * @description Whether it ended in the same way, with the same words.
                     * @enum {string}
                     */
                    readonly answers: "same" | "other";
                    /**
                     * @description Whether it called the same tools, with the same arguments and the same outcome.
                     * @enum {string}
                     */
                    readonly calls: "same" | "other";
                    /** @description The turn in this run. Not there if it did not play. */
                    readonly left?: {
                        /** @enum {string} */
                        readonly status: "playing" | "complete" | "partial" | "cancelled" | "failed";
                        readonly text: string;
                        readonly calls: readonly {
                            readonly tool: string;
                            readonly input: {
                                readonly [key: string]: unknown;
                            };
                            /** @enum {string} */
                            readonly status: "done" | "refused" | "failed" | "interrupted";
                        }[];
                        /** @description In its thread: the first model call whose prompt differs. */
                        readonly receipt?: string;
                    };
                    /** @description The turn in this run. Not there if it did not play. */
                    readonly right?: {
                        /** @enum {string} */
                        readonly status: "playing" | "complete" | "partial" | "cancelled" | "failed";
                        readonly text: string;
                        readonly calls: readonly {
                            readonly tool: string;
                            readonly input: {
                                readonly [key: string]: unknown;
                            };
                            /** @enum {string} */
                            readonly status: "done" | "refused" | "failed" | "interrupted";
                        }[];
                        /** @description In its thread: the first model call whose prompt differs. */
                        readonly receipt?: string;
                    };
                }[];
            }[];
        };
        readonly Run: {
            /** @example stand-k3v9x2 */
            readonly run: string;
            /**
             * @description Of the experiment.
             * @example lemonade stand
             */
            readonly name: string;
            readonly seed: number;
            /** @enum {string} */
            readonly status: "running" | "paused" | "stopping" | "success" | "failure" | "limit" | "stopped" | "error";
            /** @description Why it is over: the goal that was reached, or the limit. */
            readonly reason?: string;
            readonly began?: string;
            /** @description When something last happened. */
            readonly changed?: string;
            /** @description The run whose answers are given again, in place of asking models. */
            readonly answers?: string;
            /** @description Where it was taken from another run: what that did before this round, it did too. */
            readonly forked?: {
                readonly run: string;
                readonly round: number;
            };
            readonly spending: components["schemas"]["Spending"];
            /** @description How many rounds it may have. */
            readonly limit: number | null;
            readonly participants: readonly {
                readonly name: string;
                readonly model: string;
                /** @description An ordinary thread: what the model saw is found there. */
                readonly thread: string;
                readonly spending: components["schemas"]["Spending"];
            }[];
            readonly rounds: readonly components["schemas"]["RunRound"][];
            /** @description As it is now. */
            readonly environment: {
                readonly [key: string]: unknown;
            };
            readonly initial: {
                readonly [key: string]: unknown;
            };
            /** @description What the run is made of. For the scopes app and admin. */
            readonly definition?: unknown;
            /** @description How many variables are left out for viewers, because no participant sees them. */
            readonly hidden: number;
        };
        readonly RunRound: {
            readonly round: number;
            readonly name: string;
            /** @enum {string} */
            readonly play: "sequence" | "parallel" | "addressed";
            /** @description Who plays, in order. */
            readonly order: readonly string[];
            readonly isOver: boolean;
            readonly began?: string;
            readonly ended?: string;
            /** @description After the round, or as it is now. */
            readonly environment: {
                readonly [key: string]: unknown;
            };
            /** @description Turns of participants. */
            readonly cells: readonly components["schemas"]["RunCell"][];
        };
        readonly RunCell: {
            readonly participant: string;
            /** @description Counted from 0 within the round. */
            readonly turn: number;
            /** @enum {string} */
            readonly status: "playing" | "complete" | "partial" | "cancelled" | "failed";
            readonly text: string;
            readonly reason?: {
                readonly code: string;
                readonly message: string;
            };
            /** @description The entry of its thread that asked. */
            readonly asked?: string;
            readonly calls: readonly {
                /** @description In its thread: what the model saw. */
                readonly receipt: string;
                /** @description Of the prompt. */
                readonly hash: string;
                readonly prompt: number;
                readonly completion: number;
                /** @description How many entries had each verdict. */
                readonly verdicts: {
                    readonly [key: string]: number;
                };
                /** @description What became of the question and of the other entries of its turn. There only if not all of them were sent whole. */
                readonly turn?: {
                    readonly question: string;
                    readonly verdicts: {
                        readonly [key: string]: number;
                    };
                };
                /** @description The window that was asked for, and the one that the model has. There only if that is smaller. */
                readonly window?: {
                    readonly asked: number;
                    readonly given: number;
                    readonly source: string;
                };
                /** @description Whether no whole answer came of it. */
                readonly isVain?: boolean;
            }[];
            readonly effects: readonly {
                readonly tool: string;
                readonly input: {
                    readonly [key: string]: unknown;
                };
                readonly told: string;
                readonly changes: {
                    readonly [key: string]: unknown;
                };
                /** @enum {string} */
                readonly status: "done" | "refused" | "failed" | "interrupted";
            }[];
        };
        /**
         * @example {
         *       "round": 3,
         *       "changes": {
         *         "participants": {
         *           "ann": {
         *             "model": "gemma3:12b"
         *           }
         *         }
         *       }
         *     }
         */
        readonly ForkRun: {
            /**
             * @description The name of the new run: one is made up unless told.
             * @example stand-k3v9x2
             */
            readonly as?: string;
            /** @description The first round that is played anew. */
            readonly round: number;
            /** @description What is other than in the definition of the run, as a JSON merge patch. */
            readonly changes?: {
                readonly [key: string]: unknown;
            };
        };
        readonly Manifest: {
            readonly experiment: string;
            /** @description SHA-256 of its canonical JSON. */
            readonly definition: string;
            readonly seed: number;
            readonly participants: readonly {
                readonly name: string;
                /** @description As they were sent, one after the other where they changed. */
                readonly settings: readonly {
                    /** @description How many model calls were made under these. */
                    readonly calls: number;
                    readonly compiler: number;
                    readonly model: string | null;
                    readonly wire: string | null;
                    /** @description Options, seed and digest of the model, as far as they are known. */
                    readonly facts?: {
                        readonly [key: string]: unknown;
                    };
                    readonly window: number;
                    readonly reserve: number | null;
                    readonly policy?: unknown;
                    readonly counter?: unknown;
                    readonly tools: readonly string[];
                }[];
            }[];
        };
        readonly PolicyList: {
            readonly policies: readonly components["schemas"]["NamedPolicy"][];
        };
        readonly NamedPolicy: {
            /** @example short */
            readonly name: string;
            /** @enum {string} */
            readonly source: "preset" | "configured" | "recorded";
            readonly policy: {
                /** @enum {string} */
                readonly preset: "default" | "lastMessages" | "tiered" | "firstAndRecent";
                /**
                 * @description Of `default`.
                 * @enum {string}
                 */
                readonly recall?: "off" | "gated" | "eager";
                readonly epochs?: boolean;
                /** @description Of `lastMessages`: how many. */
                readonly messages?: number;
                /** @description Of `tiered`: how many exchanges. */
                readonly verbatim?: number;
                /** @enum {string} */
                readonly overflow?: "error" | "keep";
                /** @description Whether the model is asked for notes to self. */
                readonly notes?: boolean;
                readonly journal?: boolean;
                /**
                 * @description The role under which notes and journal stand in prompts. Default: `system`.
                 * @enum {string}
                 */
                readonly notesRole?: "system" | "user";
                /** @description Other shares for the tiers of the preset. */
                readonly shares?: {
                    readonly outline?: number;
                    readonly recall?: number;
                    readonly notes?: number;
                };
            };
        };
        /**
         * @example {
         *       "preset": "tiered",
         *       "verbatim": 2
         *     }
         */
        readonly Policy: {
            /** @enum {string} */
            readonly preset: "default" | "lastMessages" | "tiered" | "firstAndRecent";
            /**
             * @description Of `default`.
             * @enum {string}
             */
            readonly recall?: "off" | "gated" | "eager";
            readonly epochs?: boolean;
            /** @description Of `lastMessages`: how many. */
            readonly messages?: number;
            /** @description Of `tiered`: how many exchanges. */
            readonly verbatim?: number;
            /** @enum {string} */
            readonly overflow?: "error" | "keep";
            /** @description Whether the model is asked for notes to self. */
            readonly notes?: boolean;
            readonly journal?: boolean;
            /**
             * @description The role under which notes and journal stand in prompts. Default: `system`.
             * @enum {string}
             */
            readonly notesRole?: "system" | "user";
            /** @description Other shares for the tiers of the preset. */
            readonly shares?: {
                readonly outline?: number;
                readonly recall?: number;
                readonly notes?: number;
            };
        };
        readonly Removed: {
            readonly removed: boolean;
        };
        readonly KeyList: {
            readonly keys: readonly {
                /** @example website */
                readonly name: string;
                /** @example default */
                readonly tenant: string;
                /** @enum {string} */
                readonly scope: "admin" | "app" | "viewer";
                /** @enum {string} */
                readonly source: "configured" | "recorded";
                /** @description When it was made. */
                readonly time?: string;
                /** @description When it was revoked, where it was. */
                readonly revoked?: string;
            }[];
        };
        readonly MadeKey: {
            /** @example website */
            readonly name: string;
            /** @example default */
            readonly tenant: string;
            /** @enum {string} */
            readonly scope: "admin" | "app" | "viewer";
            /** @enum {string} */
            readonly source: "configured" | "recorded";
            /** @description When it was made. */
            readonly time?: string;
            /** @description When it was revoked, where it was. */
            readonly revoked?: string;
            /**
             * @description Shown this once.
             * @example mb_…
             */
            readonly key: string;
        };
        /**
         * @example {
         *       "name": "website",
         *       "scope": "app"
         *     }
         */
        readonly NewKey: {
            /** @example website */
            readonly name: string;
            /** @description Default: that of the key that asks. Only the operator of the installation makes keys of other tenants. */
            readonly tenant?: string;
            /** @enum {string} */
            readonly scope: "admin" | "app" | "viewer";
        };
        readonly Key: {
            /** @example website */
            readonly name: string;
            /** @example default */
            readonly tenant: string;
            /** @enum {string} */
            readonly scope: "admin" | "app" | "viewer";
            /** @enum {string} */
            readonly source: "configured" | "recorded";
            /** @description When it was made. */
            readonly time?: string;
            /** @description When it was revoked, where it was. */
            readonly revoked?: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly about: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Nothing that is secret. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "minutebook",
                     *       "tenant": "default",
                     *       "scope": "viewer",
                     *       "shown": "key",
                     *       "store": "sqlite",
                     *       "defaultModel": null,
                     *       "states": []
                     *     }
                     */
                    readonly "application/json": components["schemas"]["About"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly listTools: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Their names, for setups. Those of MCP servers that do not answer are missing. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tools": [
                     *         {
                     *           "name": "weather",
                     *           "parameters": {
                     *             "type": "object"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ToolList"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly listThreads: {
        readonly parameters: {
            readonly query?: {
                /** @description How many: 100 unless told. */
                readonly limit?: number;
                /** @description The `next` of the page before. */
                readonly after?: string;
                /** @description Only threads that have one of these marks, with commas between. A page may then be short, and still have a `next`. */
                readonly marks?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of threads. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "threads": [
                     *         {
                     *           "thread": "garden",
                     *           "title": "What grows in the shade?",
                     *           "model": "gemma3:4b",
                     *           "entries": 7,
                     *           "time": "2026-11-15T12:00:00.000Z",
                     *           "marks": [],
                     *           "oneOff": false,
                     *           "relayed": false
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ThreadList"];
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_page`: There is no such page.
             */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly createThread: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewThread"];
            };
        };
        readonly responses: {
            /** @description It is there. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "thread": "garden",
                     *       "title": null,
                     *       "model": null,
                     *       "entries": 1,
                     *       "time": "2026-11-15T12:00:00.000Z",
                     *       "marks": [],
                     *       "oneOff": false,
                     *       "relayed": false,
                     *       "head": null,
                     *       "setup": {
                     *         "model": "gemma3:4b",
                     *         "system": "You help with a garden."
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Thread"];
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_json`: The body is not JSON.
             *
             *     `invalid_thread`: This cannot be the name of a thread.
             *
             *     `unknown_model`: No upstream has the model.
             *
             *     `unknown_tool`: No tool is registered under the name.
             */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_policy`: There is no policy of the name. */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The body came so slowly that others waited for the memory that was kept for it. */
            readonly 408: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `thread_exists`: There is a thread of this name already. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server takes, or would take more memory than one tenant may have. */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The body has another content type than the operation takes. */
            readonly 415: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly getThread: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                readonly thread: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The thread. Viewers do not see its setup. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "thread": "garden",
                     *       "title": "What grows in the shade?",
                     *       "model": "gemma3:4b",
                     *       "entries": 7,
                     *       "time": "2026-11-15T12:00:00.000Z",
                     *       "marks": [],
                     *       "oneOff": false,
                     *       "relayed": false,
                     *       "head": "9f2c4e",
                     *       "setup": {
                     *         "model": "gemma3:4b",
                     *         "system": "You help with a garden."
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Thread"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_thread`: There is no such thread. */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly putSetup: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                readonly thread: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Setup"];
            };
        };
        readonly responses: {
            /** @description The thread with its new setup. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "thread": "garden",
                     *       "title": "What grows in the shade?",
                     *       "model": "gemma3:4b",
                     *       "entries": 7,
                     *       "time": "2026-11-15T12:00:00.000Z",
                     *       "marks": [],
                     *       "oneOff": false,
                     *       "relayed": false,
                     *       "head": "9f2c4e",
                     *       "setup": {
                     *         "model": "gemma3:4b",
                     *         "system": "You help with a garden."
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Thread"];
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_json`: The body is not JSON.
             *
             *     `unknown_model`: No upstream has the model.
             *
             *     `unknown_tool`: No tool is registered under the name.
             */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unknown_thread`: There is no such thread.
             *
             *     `unknown_policy`: There is no policy of the name.
             */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The body came so slowly that others waited for the memory that was kept for it. */
            readonly 408: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `run_thread`: The thread is of a participant of a run, which alone writes there. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server takes, or would take more memory than one tenant may have. */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The body has another content type than the operation takes. */
            readonly 415: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly listEntries: {
        readonly parameters: {
            readonly query?: {
                /** @description The branch that ends with this entry, in place of the newest one. */
                readonly head?: string;
                /** @description 1: also what people do not see. For admins alone. */
                readonly hidden?: "0" | "1";
            };
            readonly header?: never;
            readonly path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                readonly thread: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The entries of the branch, oldest first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "thread": "garden",
                     *       "head": "9f2c4e",
                     *       "branches": [
                     *         "9f2c4e"
                     *       ],
                     *       "entries": [
                     *         {
                     *           "id": "9f2c4e",
                     *           "parent": null,
                     *           "seq": 1,
                     *           "kind": "user",
                     *           "origin": "user",
                     *           "status": "complete",
                     *           "text": "What grows in the shade?",
                     *           "calls": [],
                     *           "images": 0,
                     *           "time": "2026-11-15T12:00:00.000Z",
                     *           "turn": 1
                     *         }
                     *       ],
                     *       "hidden": 2
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Entries"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unknown_thread`: There is no such thread.
             *
             *     `unknown_entry`: The thread has no such entry.
             */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly sendTurn: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                readonly thread: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewTurn"];
            };
        };
        readonly responses: {
            /** @description The message is on record. */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "thread": "garden",
                     *       "turn": "9f2c4e",
                     *       "pending": null,
                     *       "status": "running",
                     *       "answer": null,
                     *       "text": "",
                     *       "position": "1.0.0"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Turn"];
                    /**
                     * @example event: recorded
                     *     data: {"thread":"garden","turn":"9f2c4e","pending":null,"status":"running","answer":null,"text":"","position":"1.0.0"}
                     *
                     *     event: text
                     *     id: 2.1.5
                     *     data: {"term":1,"offset":0,"text":"Ferns"}
                     *
                     *     event: end
                     *     id: 5.1.0.end
                     *     data: {"status":"complete","turn":"9f2c4e","answer":"b71e90"}
                     */
                    readonly "text/event-stream": string;
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_json`: The body is not JSON.
             *
             *     `malformed_message`: The message cannot be read.
             *
             *     `no_model`: Nobody said which model is to answer.
             *
             *     `unknown_model`: No upstream has the model.
             */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unknown_thread`: There is no such thread.
             *
             *     `unknown_entry`: The thread has no such entry.
             *
             *     `unknown_policy`: There is no policy of the name.
             */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The body came so slowly that others waited for the memory that was kept for it. */
            readonly 408: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `run_thread`: The thread is of a participant of a run, which alone writes there.
             *
             *     `busy`: A turn is running, and the message was not to wait or to interrupt.
             *
             *     `id_taken`: The id was used for another message.
             *
             *     `erased_before`: The same words were erased at this place.
             *
             *     `not_recorded`: The message was not put on record: it was taken back, or another one was faster.
             */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `body_too_long`: The body is longer than the server takes, or would take more memory than one tenant may have.
             *
             *     `thread_too_large`: With this, the thread would hold more than the server keeps in memory.
             */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The body has another content type than the operation takes. */
            readonly 415: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly retryTurn: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                readonly thread: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It will be answered. */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "thread": "garden",
                     *       "turn": "9f2c4e",
                     *       "pending": null,
                     *       "status": "running",
                     *       "answer": null,
                     *       "text": "",
                     *       "position": "1.0.0"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Turn"];
                    /**
                     * @example event: recorded
                     *     data: {"thread":"garden","turn":"9f2c4e","pending":null,"status":"running","answer":null,"text":"","position":"1.0.0"}
                     *
                     *     event: text
                     *     id: 2.1.5
                     *     data: {"term":1,"offset":0,"text":"Ferns"}
                     *
                     *     event: end
                     *     id: 5.1.0.end
                     *     data: {"status":"complete","turn":"9f2c4e","answer":"b71e90"}
                     */
                    readonly "text/event-stream": string;
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `no_model`: Nobody said which model is to answer.
             *
             *     `unknown_model`: No upstream has the model.
             */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_thread`: There is no such thread. */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `run_thread`: The thread is of a participant of a run, which alone writes there.
             *
             *     `busy`: A turn is running, and the message was not to wait or to interrupt.
             *
             *     `nothing_to_answer`: There is no message to answer again.
             *
             *     `not_recorded`: The message was not put on record: it was taken back, or another one was faster.
             */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly cancelTurn: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                readonly thread: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No turn of before runs any more. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "cancelled": true
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Cancelled"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_thread`: There is no such thread. */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `run_thread`: The thread is of a participant of a run, which alone writes there. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly getTurn: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                readonly thread: string;
                /** @description The id of an entry. */
                readonly turn: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The turn. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "thread": "garden",
                     *       "turn": "9f2c4e",
                     *       "pending": null,
                     *       "status": "complete",
                     *       "answer": "b71e90",
                     *       "text": "Ferns do.",
                     *       "position": "1.0.0"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Turn"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unknown_thread`: There is no such thread.
             *
             *     `unknown_turn`: The thread has no such turn.
             */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly streamThread: {
        readonly parameters: {
            readonly query?: {
                /** @description The position to go on from: the `id` of the last event that was seen. The header `last-event-id` says the same. Unless told, the stream begins with the turn that runs. */
                readonly from?: string;
                /** @description `rest`: the stream ends when no turn runs and nothing waits. Unless told it goes on with later turns. */
                readonly until?: "rest";
            };
            readonly header?: never;
            readonly path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                readonly thread: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Events, until the client leaves; with `until=rest` until no turn runs. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example event: recorded
                     *     data: {"thread":"garden","turn":"9f2c4e","pending":null,"status":"running","answer":null,"text":"","position":"1.0.0"}
                     *
                     *     event: text
                     *     id: 2.1.5
                     *     data: {"term":1,"offset":0,"text":"Ferns"}
                     *
                     *     event: end
                     *     id: 5.1.0.end
                     *     data: {"status":"complete","turn":"9f2c4e","answer":"b71e90"}
                     */
                    readonly "text/event-stream": string;
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_position`: This is no position of a stream.
             */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_thread`: There is no such thread. */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly relayTurn: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                readonly thread: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RelayTurn"];
            };
        };
        readonly responses: {
            /** @description The turn, answered or stopped. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "thread": "garden",
                     *       "turn": "9f2c4e",
                     *       "pending": null,
                     *       "status": "complete",
                     *       "answer": "b71e90",
                     *       "text": "Ferns do.",
                     *       "position": "1.0.0"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Turn"];
                    readonly "text/event-stream": string;
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_json`: The body is not JSON.
             *
             *     `malformed_message`: The message cannot be read.
             *
             *     `no_model`: Nobody said which model is to answer.
             *
             *     `unknown_model`: No upstream has the model.
             */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unknown_thread`: There is no such thread.
             *
             *     `unknown_entry`: The thread has no such entry.
             */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The body came so slowly that others waited for the memory that was kept for it. */
            readonly 408: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `run_thread`: The thread is of a participant of a run, which alone writes there.
             *
             *     `id_taken`: The id was used for another message.
             *
             *     `erased_before`: The same words were erased at this place.
             *
             *     `nothing_to_answer`: There is no message to answer again.
             */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `body_too_long`: The body is longer than the server takes, or would take more memory than one tenant may have.
             *
             *     `thread_too_large`: With this, the thread would hold more than the server keeps in memory.
             */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The body has another content type than the operation takes. */
            readonly 415: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly sendPrompt: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                readonly thread: string;
                /** @description The id of the receipt of a model call. */
                readonly receipt: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["AskedPrompt"];
            };
        };
        readonly responses: {
            /** @description The turn on the new thread, answered or stopped. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "thread": "garden",
                     *       "turn": "9f2c4e",
                     *       "pending": null,
                     *       "status": "complete",
                     *       "answer": "b71e90",
                     *       "text": "Ferns do.",
                     *       "position": "1.0.0"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Turn"];
                    readonly "text/event-stream": string;
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_json`: The body is not JSON.
             *
             *     `malformed_message`: The message cannot be read.
             *
             *     `no_model`: Nobody said which model is to answer.
             *
             *     `unknown_model`: No upstream has the model.
             */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unknown_thread`: There is no such thread.
             *
             *     `unknown_call`: The thread has no such model call.
             */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The body came so slowly that others waited for the memory that was kept for it. */
            readonly 408: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `window_too_small`: The model has a smaller window than the prompt was made for; `window` says how large it is, and if the model server can load the model with more.
             *
             *     `other_protocol`: The prompt has the shape of another protocol than the model is asked by now.
             *
             *     `nothing_to_answer`: There is no message to answer again.
             */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `body_too_long`: The body is longer than the server takes, or would take more memory than one tenant may have.
             *
             *     `thread_too_large`: With this, the thread would hold more than the server keeps in memory.
             */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The body has another content type than the operation takes. */
            readonly 415: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly listReceipts: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                readonly thread: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The receipts, oldest first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "receipts": [
                     *         {
                     *           "id": "c02d11",
                     *           "seq": 4,
                     *           "version": 1,
                     *           "head": "9f2c4e",
                     *           "upto": "9f2c4e",
                     *           "length": 3,
                     *           "settings": "77aa01",
                     *           "hash": "5d41c0",
                     *           "epoch": 0,
                     *           "verdicts": {
                     *             "verbatim": 2
                     *           },
                     *           "outcome": "stop",
                     *           "tokens": {
                     *             "predicted": 41,
                     *             "reused": 0,
                     *             "reported": {
                     *               "prompt": 39,
                     *               "completion": 12
                     *             }
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Receipts"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_thread`: There is no such thread. */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly dumpCall: {
        readonly parameters: {
            readonly query?: {
                /** @description The number of a turn from 1, or the id of its user entry: its last model call. */
                readonly turn?: string;
                /** @description A model call by its receipt. With neither: the last call of all. */
                readonly receipt?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                readonly thread: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The prompt, derived again and checked against its receipt. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "thread": "garden",
                     *       "turn": 1,
                     *       "model": "gemma3:4b",
                     *       "receipt": {
                     *         "id": "c02d11",
                     *         "seq": 4,
                     *         "version": 1,
                     *         "head": "9f2c4e",
                     *         "upto": "9f2c4e",
                     *         "length": 3,
                     *         "settings": "77aa01",
                     *         "hash": "5d41c0",
                     *         "epoch": 0,
                     *         "verdicts": {
                     *           "verbatim": 2
                     *         },
                     *         "outcome": "stop",
                     *         "tokens": {
                     *           "predicted": 41,
                     *           "reused": 0,
                     *           "reported": {
                     *             "prompt": 39,
                     *             "completion": 12
                     *           }
                     *         }
                     *       },
                     *       "messages": [
                     *         {
                     *           "role": "user",
                     *           "content": "What grows in the shade?"
                     *         }
                     *       ],
                     *       "tools": [],
                     *       "text": "--- USER ---\nWhat grows in the shade?",
                     *       "hash": "5d41c0",
                     *       "same": true,
                     *       "erased": false
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Dump"];
                    readonly "text/plain": string;
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_call`: Both a turn and a receipt are named.
             */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unknown_thread`: There is no such thread.
             *
             *     `unknown_call`: The thread has no such model call.
             *
             *     `no_calls`: The thread has no model calls on record.
             */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `cannot_derive`: The prompt cannot be derived again: its counter is not at hand, or parts of it were erased. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly explainCall: {
        readonly parameters: {
            readonly query?: {
                /** @description The number of a turn from 1, or the id of its user entry: its last model call. */
                readonly turn?: string;
                /** @description A model call by its receipt. With neither: the last call of all. */
                readonly receipt?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                readonly thread: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The plan of the prompt: one verdict for every entry. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "thread": "garden",
                     *       "turn": 1,
                     *       "model": "gemma3:4b",
                     *       "receipt": {
                     *         "id": "c02d11",
                     *         "seq": 4,
                     *         "version": 1,
                     *         "head": "9f2c4e",
                     *         "upto": "9f2c4e",
                     *         "length": 3,
                     *         "settings": "77aa01",
                     *         "hash": "5d41c0",
                     *         "epoch": 0,
                     *         "verdicts": {
                     *           "verbatim": 2
                     *         },
                     *         "outcome": "stop",
                     *         "tokens": {
                     *           "predicted": 41,
                     *           "reused": 0,
                     *           "reported": {
                     *             "prompt": 39,
                     *             "completion": 12
                     *           }
                     *         }
                     *       },
                     *       "shares": [
                     *         {
                     *           "name": "latest",
                     *           "tokens": 41
                     *         },
                     *         {
                     *           "name": "free",
                     *           "tokens": 3543
                     *         },
                     *         {
                     *           "name": "reserve",
                     *           "tokens": 512
                     *         }
                     *       ],
                     *       "plan": {
                     *         "policy": "default",
                     *         "counter": "estimate",
                     *         "window": 4096,
                     *         "reserve": 512,
                     *         "tokens": 41,
                     *         "tools": 0,
                     *         "overhead": 3,
                     *         "entries": 3,
                     *         "exchanges": 1,
                     *         "epoch": {
                     *           "number": 0,
                     *           "since": 0
                     *         },
                     *         "overflow": 0,
                     *         "parts": [],
                     *         "spans": []
                     *       },
                     *       "same": true,
                     *       "erased": false
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Explanation"];
                    readonly "text/plain": string;
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_call`: Both a turn and a receipt are named.
             */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unknown_thread`: There is no such thread.
             *
             *     `unknown_call`: The thread has no such model call.
             *
             *     `no_calls`: The thread has no model calls on record.
             */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `cannot_derive`: The prompt cannot be derived again: its counter is not at hand, or parts of it were erased. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly verifyThread: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                readonly thread: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What was found. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "thread": "garden",
                     *       "ok": true,
                     *       "entries": 7,
                     *       "prompts": 2,
                     *       "underivable": 0,
                     *       "problems": []
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Verification"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_thread`: There is no such thread. */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly replayThread: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                readonly thread: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ReplayChanges"];
            };
        };
        readonly responses: {
            /** @description The model calls of the newest branch, as they would have been. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "calls": [
                     *         {
                     *           "receipt": "c02d11",
                     *           "head": "9f2c4e",
                     *           "tokens": {
                     *             "sent": 41,
                     *             "replayed": 38,
                     *             "reused": 12
                     *           },
                     *           "messages": 2,
                     *           "same": false,
                     *           "verdicts": {
                     *             "verbatim": 2
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Replay"];
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_json`: The body is not JSON.
             */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unknown_thread`: There is no such thread.
             *
             *     `unknown_policy`: There is no policy of the name.
             */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The body came so slowly that others waited for the memory that was kept for it. */
            readonly 408: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `cannot_derive`: The prompt cannot be derived again: its counter is not at hand, or parts of it were erased. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server takes, or would take more memory than one tenant may have. */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The body has another content type than the operation takes. */
            readonly 415: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly getState: {
        readonly parameters: {
            readonly query?: {
                /** @description As of this entry; now unless told. */
                readonly at?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                readonly thread: string;
                readonly state: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The state. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "thread": "garden",
                     *       "name": "basket",
                     *       "value": {
                     *         "items": [
                     *           "fern"
                     *         ]
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["State"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unknown_thread`: There is no such thread.
             *
             *     `unknown_state`: No state of this name is configured.
             *
             *     `unknown_entry`: The thread has no such entry.
             */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly search: {
        readonly parameters: {
            readonly query: {
                /** @description Words, all of which must be there. */
                readonly query: string;
                /** @description In this thread alone. */
                readonly thread?: string;
                /** @description How many: 20 unless told. */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What people may see and was found. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "found": [
                     *         {
                     *           "thread": "garden",
                     *           "id": "9f2c4e",
                     *           "seq": 1,
                     *           "text": "What grows in the shade?"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Found"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_thread`: There is no such thread. */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly forkThread: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                readonly thread: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["Fork"];
            };
        };
        readonly responses: {
            /** @description The new thread. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "thread": "garden-2",
                     *       "title": "What grows in the shade?",
                     *       "model": "gemma3:4b",
                     *       "entries": 7,
                     *       "time": "2026-11-15T12:00:00.000Z",
                     *       "marks": [],
                     *       "oneOff": false,
                     *       "relayed": false
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ThreadSummary"];
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_json`: The body is not JSON.
             *
             *     `invalid_thread`: This cannot be the name of a thread.
             */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unknown_thread`: There is no such thread.
             *
             *     `unknown_entry`: The thread has no such entry.
             */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The body came so slowly that others waited for the memory that was kept for it. */
            readonly 408: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `thread_exists`: There is a thread of this name already. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server takes, or would take more memory than one tenant may have. */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The body has another content type than the operation takes. */
            readonly 415: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly eraseThread: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                readonly thread: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Erase"];
            };
        };
        readonly responses: {
            /** @description The receipt of the erasure. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "thread": "garden",
                     *       "erased": [
                     *         "9f2c4e"
                     *       ],
                     *       "snapshots": 1,
                     *       "records": 0,
                     *       "images": 0,
                     *       "remains": []
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Erasure"];
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_json`: The body is not JSON.
             */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unknown_thread`: There is no such thread.
             *
             *     `unknown_entry`: The thread has no such entry.
             */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The body came so slowly that others waited for the memory that was kept for it. */
            readonly 408: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server takes, or would take more memory than one tenant may have. */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The body has another content type than the operation takes. */
            readonly 415: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly exportThread: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                readonly thread: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The whole log, for an import. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/x-ndjson": string;
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_thread`: There is no such thread. */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly importThread: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                readonly thread: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/x-ndjson": string;
            };
        };
        readonly responses: {
            /** @description The restored thread. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "thread": "garden",
                     *       "title": "What grows in the shade?",
                     *       "model": "gemma3:4b",
                     *       "entries": 7,
                     *       "time": "2026-11-15T12:00:00.000Z",
                     *       "marks": [],
                     *       "oneOff": false,
                     *       "relayed": false,
                     *       "records": [
                     *         {
                     *           "name": "setup",
                     *           "key": "",
                     *           "value": {
                     *             "setup": {
                     *               "model": "gemma3:4b"
                     *             }
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ImportedThread"];
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_json`: The body is not JSON.
             *
             *     `invalid_thread`: This cannot be the name of a thread.
             *
             *     `corrupt_line`: A line of the import was changed, or is none of an export; the message names it. Nothing was imported.
             */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The body came so slowly that others waited for the memory that was kept for it. */
            readonly 408: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `thread_exists`: There is a thread of this name already.
             *
             *     `run_thread`: The thread is of a participant of a run, which alone writes there.
             */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server takes, or would take more memory than one tenant may have. */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The body has another content type than the operation takes. */
            readonly 415: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly listCalls: {
        readonly parameters: {
            readonly query?: {
                /** @description The branch that ends with this entry, in place of the newest one. */
                readonly head?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                readonly thread: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The calls, oldest first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "calls": [
                     *         {
                     *           "receipt": {
                     *             "id": "c02d11",
                     *             "seq": 4,
                     *             "version": 1,
                     *             "head": "9f2c4e",
                     *             "upto": "9f2c4e",
                     *             "length": 3,
                     *             "settings": "77aa01",
                     *             "hash": "5d41c0",
                     *             "epoch": 0,
                     *             "verdicts": {
                     *               "verbatim": 2
                     *             },
                     *             "outcome": "stop",
                     *             "tokens": {
                     *               "predicted": 41,
                     *               "reused": 0,
                     *               "reported": {
                     *                 "prompt": 39,
                     *                 "completion": 12
                     *               }
                     *             }
                     *           },
                     *           "turn": 1,
                     *           "question": "9f2c4e",
                     *           "model": "gemma3:4b",
                     *           "window": 4096,
                     *           "reserve": 512,
                     *           "policy": "default (recall gated)"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Calls"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unknown_thread`: There is no such thread.
             *
             *     `unknown_entry`: The thread has no such entry.
             */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly inspectCall: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                readonly thread: string;
                /** @description The id of the receipt of a model call. */
                readonly receipt: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The call. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "thread": "garden",
                     *       "turn": 1,
                     *       "model": "gemma3:4b",
                     *       "receipt": {
                     *         "id": "c02d11",
                     *         "seq": 4,
                     *         "version": 1,
                     *         "head": "9f2c4e",
                     *         "upto": "9f2c4e",
                     *         "length": 3,
                     *         "settings": "77aa01",
                     *         "hash": "5d41c0",
                     *         "epoch": 0,
                     *         "verdicts": {
                     *           "verbatim": 2
                     *         },
                     *         "outcome": "stop",
                     *         "tokens": {
                     *           "predicted": 41,
                     *           "reused": 0,
                     *           "reported": {
                     *             "prompt": 39,
                     *             "completion": 12
                     *           }
                     *         }
                     *       },
                     *       "window": 4096,
                     *       "reserve": 512,
                     *       "tokens": 41,
                     *       "overflow": 0,
                     *       "counter": "estimate@1",
                     *       "policy": "default (recall gated)",
                     *       "shares": [
                     *         {
                     *           "name": "latest",
                     *           "tokens": 41
                     *         },
                     *         {
                     *           "name": "free",
                     *           "tokens": 3543
                     *         },
                     *         {
                     *           "name": "reserve",
                     *           "tokens": 512
                     *         }
                     *       ],
                     *       "entries": [
                     *         {
                     *           "id": "9f2c4e",
                     *           "seq": 1,
                     *           "kind": "user",
                     *           "verdict": "verbatim",
                     *           "tier": "current",
                     *           "tokens": 12,
                     *           "reason": "current turn",
                     *           "title": "What grows in the shade?"
                     *         }
                     *       ],
                     *       "messages": [
                     *         {
                     *           "role": "user",
                     *           "tokens": 12,
                     *           "pieces": [
                     *             {
                     *               "label": "USER",
                     *               "tier": "current",
                     *               "entries": [
                     *                 "9f2c4e"
                     *               ],
                     *               "tokens": 7
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "reused": 0,
                     *       "hash": "5d41c0",
                     *       "same": true,
                     *       "erased": false,
                     *       "hidden": {
                     *         "entries": 1,
                     *         "messages": 1,
                     *         "tools": 0
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Inspection"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unknown_thread`: There is no such thread.
             *
             *     `unknown_call`: The thread has no such model call.
             */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `cannot_derive`: The prompt cannot be derived again: its counter is not at hand, or parts of it were erased. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly listCounts: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                readonly thread: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The counts. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "counter": {
                     *         "name": "o200k",
                     *         "overhead": 4
                     *       },
                     *       "counts": {
                     *         "5d41402abc4b2a76": 7
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Counts"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_thread`: There is no such thread. */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `cannot_derive`: The prompt cannot be derived again: its counter is not at hand, or parts of it were erased. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly checkExperiment: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CheckExperiment"];
            };
        };
        readonly responses: {
            /** @description Everything that must be mended before it can run. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "problems": [
                     *         {
                     *           "line": 3,
                     *           "column": 12,
                     *           "field": "participants.ann.sees[0]",
                     *           "problem": "there is no variable \"csh\"",
                     *           "fix": "did you mean \"cash\"?"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["CheckedExperiment"];
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_json`: The body is not JSON.
             */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The body came so slowly that others waited for the memory that was kept for it. */
            readonly 408: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server takes, or would take more memory than one tenant may have. */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The body has another content type than the operation takes. */
            readonly 415: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly listRuns: {
        readonly parameters: {
            readonly query?: {
                /** @description How many: 50 unless told. */
                readonly limit?: number;
                /** @description The `next` of the page before. */
                readonly after?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of runs. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "runs": [
                     *         {
                     *           "run": "counting-1",
                     *           "name": "counting",
                     *           "seed": 1,
                     *           "status": "running",
                     *           "limit": 100,
                     *           "began": "2026-11-15T12:00:00.000Z",
                     *           "changed": "2026-11-15T12:00:07.000Z",
                     *           "spending": {
                     *             "calls": 2,
                     *             "prompt": 180,
                     *             "completion": 24
                     *           },
                     *           "round": 2
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["RunList"];
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_page`: There is no such page.
             */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly beginRun: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewRun"];
            };
        };
        readonly responses: {
            /** @description It is on record, and goes on by itself on whatever instance. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "run": "counting-1",
                     *       "name": "counting",
                     *       "seed": 1,
                     *       "status": "running",
                     *       "limit": 100,
                     *       "began": "2026-11-15T12:00:00.000Z",
                     *       "changed": "2026-11-15T12:00:07.000Z",
                     *       "spending": {
                     *         "calls": 2,
                     *         "prompt": 180,
                     *         "completion": 24
                     *       },
                     *       "round": 0
                     *     }
                     */
                    readonly "application/json": components["schemas"]["RunSummary"];
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_json`: The body is not JSON.
             *
             *     `invalid_experiment`: The definition cannot be run; `problems` has everything that is wrong, with field and fix, and lines where it came as a text.
             *
             *     `unknown_tool`: No tool is registered under the name.
             *
             *     `unknown_model`: No upstream has the model.
             *
             *     `no_model`: Nobody said which model is to answer.
             *
             *     `invalid_run`: This cannot be the name of a run.
             */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The scope of the key is too small.
             *
             *     `tool_not_allowed`: The definition brings a tool of its own; a server runs those that its operator has registered, and expressions.
             */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unknown_policy`: There is no policy of the name.
             *
             *     `unknown_run`: There is no such run.
             */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The body came so slowly that others waited for the memory that was kept for it. */
            readonly 408: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `run_exists`: There is a run of this name already. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server takes, or would take more memory than one tenant may have. */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The body has another content type than the operation takes. */
            readonly 415: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly compareRuns: {
        readonly parameters: {
            readonly query: {
                /** @description The name of the run. */
                readonly left: string;
                /** @description The name of the run. */
                readonly right: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Where they part: definitions by their fields, prompts by their hashes, answers by their words, tool calls by their arguments, the environment by its values. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "left": "counting-1",
                     *       "right": "counting-2",
                     *       "parts": 3,
                     *       "changes": [
                     *         {
                     *           "path": "participants.ann.model.options.temperature",
                     *           "right": 0.7
                     *         }
                     *       ],
                     *       "rounds": [
                     *         {
                     *           "round": 1,
                     *           "isSame": true,
                     *           "in": "both",
                     *           "environment": [],
                     *           "turns": [
                     *             {
                     *               "participant": "ann",
                     *               "turn": 0,
                     *               "prompts": "same",
                     *               "answers": "same",
                     *               "calls": "same",
                     *               "left": {
                     *                 "status": "complete",
                     *                 "text": "One.",
                     *                 "calls": [
                     *                   {
                     *                     "tool": "add",
                     *                     "input": {
                     *                       "count": 1
                     *                     },
                     *                     "status": "done"
                     *                   }
                     *                 ]
                     *               },
                     *               "right": {
                     *                 "status": "complete",
                     *                 "text": "One.",
                     *                 "calls": [
                     *                   {
                     *                     "tool": "add",
                     *                     "input": {
                     *                       "count": 1
                     *                     },
                     *                     "status": "done"
                     *                   }
                     *                 ]
                     *               }
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["RunComparison"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_run`: There is no such run. */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly getRun: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The name of the run. */
                readonly run: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The run. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "run": "counting-1",
                     *       "name": "counting",
                     *       "seed": 1,
                     *       "status": "running",
                     *       "limit": 100,
                     *       "began": "2026-11-15T12:00:00.000Z",
                     *       "changed": "2026-11-15T12:00:07.000Z",
                     *       "spending": {
                     *         "calls": 2,
                     *         "prompt": 180,
                     *         "completion": 24
                     *       },
                     *       "participants": [
                     *         {
                     *           "name": "ann",
                     *           "model": "gemma3:4b",
                     *           "thread": "run/counting-1/ann",
                     *           "spending": {
                     *             "calls": 2,
                     *             "prompt": 180,
                     *             "completion": 24
                     *           }
                     *         }
                     *       ],
                     *       "rounds": [
                     *         {
                     *           "round": 1,
                     *           "name": "",
                     *           "play": "sequence",
                     *           "order": [
                     *             "ann"
                     *           ],
                     *           "isOver": true,
                     *           "environment": {
                     *             "total": 1
                     *           },
                     *           "cells": [
                     *             {
                     *               "participant": "ann",
                     *               "turn": 0,
                     *               "status": "complete",
                     *               "text": "I added one.",
                     *               "asked": "9f2c4e",
                     *               "calls": [
                     *                 {
                     *                   "receipt": "c02d11",
                     *                   "hash": "5d41402abc4b2a76",
                     *                   "prompt": 90,
                     *                   "completion": 12,
                     *                   "verdicts": {
                     *                     "verbatim": 2
                     *                   }
                     *                 }
                     *               ],
                     *               "effects": [
                     *                 {
                     *                   "tool": "add",
                     *                   "input": {},
                     *                   "told": "total: 1",
                     *                   "changes": {
                     *                     "total": 1
                     *                   },
                     *                   "status": "done"
                     *                 }
                     *               ]
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "environment": {
                     *         "total": 1
                     *       },
                     *       "initial": {
                     *         "total": 0
                     *       },
                     *       "hidden": 0
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Run"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_run`: There is no such run. */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly watchRun: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The name of the run. */
                readonly run: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Events, until the run is over or the client leaves. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example event: board
                     *     data: {"run":"counting-1","name":"counting","seed":1,"status":"running","limit":100,"began":"2026-11-15T12:00:00.000Z","changed":"2026-11-15T12:00:07.000Z","spending":{"calls":2,"prompt":180,"completion":24},"participants":[{"name":"ann","model":"gemma3:4b","thread":"run/counting-1/ann","spending":{"calls":2,"prompt":180,"completion":24}}],"rounds":[],"environment":{"total":1},"initial":{"total":0},"hidden":0}
                     */
                    readonly "text/event-stream": string;
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_run`: There is no such run. */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly pauseRun: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The name of the run. */
                readonly run: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It is on record. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "run": "counting-1",
                     *       "name": "counting",
                     *       "seed": 1,
                     *       "status": "paused",
                     *       "limit": 100,
                     *       "began": "2026-11-15T12:00:00.000Z",
                     *       "changed": "2026-11-15T12:00:07.000Z",
                     *       "spending": {
                     *         "calls": 2,
                     *         "prompt": 180,
                     *         "completion": 24
                     *       },
                     *       "round": 2
                     *     }
                     */
                    readonly "application/json": components["schemas"]["RunSummary"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_run`: There is no such run. */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_possible`: The run stands otherwise: only what runs can be paused, what is paused resumed, what failed or was stopped retried. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly resumeRun: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The name of the run. */
                readonly run: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It is on record. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "run": "counting-1",
                     *       "name": "counting",
                     *       "seed": 1,
                     *       "status": "running",
                     *       "limit": 100,
                     *       "began": "2026-11-15T12:00:00.000Z",
                     *       "changed": "2026-11-15T12:00:07.000Z",
                     *       "spending": {
                     *         "calls": 2,
                     *         "prompt": 180,
                     *         "completion": 24
                     *       },
                     *       "round": 2
                     *     }
                     */
                    readonly "application/json": components["schemas"]["RunSummary"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_run`: There is no such run. */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_possible`: The run stands otherwise: only what runs can be paused, what is paused resumed, what failed or was stopped retried. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly stopRun: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The name of the run. */
                readonly run: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It is on record. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "run": "counting-1",
                     *       "name": "counting",
                     *       "seed": 1,
                     *       "status": "stopping",
                     *       "limit": 100,
                     *       "began": "2026-11-15T12:00:00.000Z",
                     *       "changed": "2026-11-15T12:00:07.000Z",
                     *       "spending": {
                     *         "calls": 2,
                     *         "prompt": 180,
                     *         "completion": 24
                     *       },
                     *       "round": 2
                     *     }
                     */
                    readonly "application/json": components["schemas"]["RunSummary"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_run`: There is no such run. */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_possible`: The run stands otherwise: only what runs can be paused, what is paused resumed, what failed or was stopped retried. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly retryRun: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The name of the run. */
                readonly run: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It is on record. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "run": "counting-1",
                     *       "name": "counting",
                     *       "seed": 1,
                     *       "status": "running",
                     *       "limit": 100,
                     *       "began": "2026-11-15T12:00:00.000Z",
                     *       "changed": "2026-11-15T12:00:07.000Z",
                     *       "spending": {
                     *         "calls": 2,
                     *         "prompt": 180,
                     *         "completion": 24
                     *       },
                     *       "round": 2
                     *     }
                     */
                    readonly "application/json": components["schemas"]["RunSummary"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_run`: There is no such run. */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_possible`: The run stands otherwise: only what runs can be paused, what is paused resumed, what failed or was stopped retried. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly forkRun: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The name of the run. */
                readonly run: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ForkRun"];
            };
        };
        readonly responses: {
            /** @description The new run. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "run": "counting-2",
                     *       "name": "counting",
                     *       "seed": 1,
                     *       "status": "running",
                     *       "limit": 100,
                     *       "began": "2026-11-15T12:00:00.000Z",
                     *       "changed": "2026-11-15T12:00:07.000Z",
                     *       "spending": {
                     *         "calls": 2,
                     *         "prompt": 180,
                     *         "completion": 24
                     *       },
                     *       "round": 2,
                     *       "forked": {
                     *         "run": "counting-1",
                     *         "round": 3
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["RunSummary"];
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_json`: The body is not JSON.
             *
             *     `invalid_experiment`: The definition cannot be run; `problems` has everything that is wrong, with field and fix, and lines where it came as a text.
             *
             *     `unknown_tool`: No tool is registered under the name.
             *
             *     `unknown_model`: No upstream has the model.
             *
             *     `no_model`: Nobody said which model is to answer.
             *
             *     `invalid_run`: This cannot be the name of a run.
             *
             *     `invalid_fork`: A fork cannot change this.
             */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The scope of the key is too small.
             *
             *     `tool_not_allowed`: The definition brings a tool of its own; a server runs those that its operator has registered, and expressions.
             */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unknown_policy`: There is no policy of the name.
             *
             *     `unknown_run`: There is no such run.
             */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The body came so slowly that others waited for the memory that was kept for it. */
            readonly 408: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `run_exists`: There is a run of this name already.
             *
             *     `unknown_round`: The run did not come to that round.
             */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server takes, or would take more memory than one tenant may have. */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The body has another content type than the operation takes. */
            readonly 415: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly getManifest: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The name of the run. */
                readonly run: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Models with digest, options and seed, windows, policies and the version of the compiler, as they were sent. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "experiment": "counting",
                     *       "definition": "5d41402abc4b2a76",
                     *       "seed": 1,
                     *       "participants": [
                     *         {
                     *           "name": "ann",
                     *           "settings": [
                     *             {
                     *               "calls": 2,
                     *               "compiler": 1,
                     *               "model": "gemma3:4b",
                     *               "wire": "ollama",
                     *               "facts": {
                     *                 "options": {
                     *                   "temperature": 0
                     *                 },
                     *                 "seed": 7
                     *               },
                     *               "window": 4096,
                     *               "reserve": null,
                     *               "policy": {
                     *                 "name": "default"
                     *               },
                     *               "counter": {
                     *                 "name": "estimate@1"
                     *               },
                     *               "tools": [
                     *                 "add"
                     *               ]
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Manifest"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_run`: There is no such run. */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly exportRun: {
        readonly parameters: {
            readonly query?: {
                /** @description `jsonl`, unless told: every event. `csv`: one row a turn. */
                readonly format?: "jsonl" | "csv";
            };
            readonly header?: never;
            readonly path: {
                /** @description The name of the run. */
                readonly run: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description All that is on record of it. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/x-ndjson": string;
                    readonly "text/csv": string;
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_run`: There is no such run. */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly listPolicies: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description All of them. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "policies": [
                     *         {
                     *           "name": "short",
                     *           "source": "recorded",
                     *           "policy": {
                     *             "preset": "tiered",
                     *             "verbatim": 2
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PolicyList"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly putPolicy: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly policy: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Policy"];
            };
        };
        readonly responses: {
            /** @description It is on record. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "short",
                     *       "source": "recorded",
                     *       "policy": {
                     *         "preset": "tiered",
                     *         "verbatim": 2
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["NamedPolicy"];
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_json`: The body is not JSON.
             */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The body came so slowly that others waited for the memory that was kept for it. */
            readonly 408: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `policy_taken`: The name is of a preset, or of a policy in the settings of the server. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server takes, or would take more memory than one tenant may have. */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The body has another content type than the operation takes. */
            readonly 415: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly deletePolicy: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly policy: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It is gone. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "removed": true
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Removed"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_policy`: There is no policy of the name. */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `policy_taken`: The name is of a preset, or of a policy in the settings of the server. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly listKeys: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description All of them, revoked ones too. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "name": "website",
                     *           "tenant": "default",
                     *           "scope": "app",
                     *           "source": "recorded",
                     *           "time": "2026-11-15T12:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["KeyList"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly createKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewKey"];
            };
        };
        readonly responses: {
            /** @description The key. It is shown this once. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "website",
                     *       "tenant": "default",
                     *       "scope": "app",
                     *       "source": "recorded",
                     *       "time": "2026-11-15T12:00:00.000Z",
                     *       "key": "mb_…"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["MadeKey"];
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_json`: The body is not JSON.
             *
             *     `invalid_key`: A key cannot have this name, tenant or scope.
             */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The scope of the key is too small.
             *
             *     `foreign_tenant`: Only the operator of the installation makes keys of another tenant.
             */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The body came so slowly that others waited for the memory that was kept for it. */
            readonly 408: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `key_exists`: There is a key of this name already. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server takes, or would take more memory than one tenant may have. */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The body has another content type than the operation takes. */
            readonly 415: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly revokeKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The name of the key. */
                readonly key: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It is revoked. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "website",
                     *       "tenant": "default",
                     *       "scope": "app",
                     *       "source": "recorded",
                     *       "time": "2026-11-15T12:00:00.000Z",
                     *       "revoked": "2026-11-15T12:30:00.000Z"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Key"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_key`: There is no such key on record. */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `configured_key`: The key stands in the settings of the server. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to come again. */
            readonly 429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or requests under way take all the memory that there is for them; `retry-after` says when to come again.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            readonly 503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    readonly "retry-after"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
