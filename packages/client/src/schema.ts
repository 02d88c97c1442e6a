// Written by packages/client/generate from the OpenAPI document of the server. Do not edit.
export interface paths {
    "/minutebook/v1": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show this server, and the key that you use */
        get: operations["about"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the tools that the operator has registered */
        get: operations["listTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/threads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List threads, the last written first */
        get: operations["listThreads"];
        put?: never;
        /** Create a thread */
        post: operations["createThread"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/threads/{thread}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a thread in brief */
        get: operations["getThread"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/threads/{thread}/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Set how the turns of a thread are run */
        put: operations["putSetup"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/threads/{thread}/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the visible entries of a branch
         * @description With `hidden=1` also notes, journal, receipts and settings: that needs the scope admin.
         */
        get: operations["listEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/threads/{thread}/turns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message and start a turn
         * @description Answers as soon as the message is recorded. An instance completes the turn even if the client disconnects. With `Accept: text/event-stream` the answer is the stream of the turn.
         */
        post: operations["sendTurn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/threads/{thread}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer the newest message again
         * @description After a failure, the turn continues where it stopped. After an answer, the new one is on a branch of its own.
         */
        post: operations["retryTurn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/threads/{thread}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel the running turn
         * @description On whichever instance it runs. What was recorded stays, and waiting messages come next. To end the turns of a run, stop the run.
         */
        post: operations["cancelTurn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/threads/{thread}/turns/{turn}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a turn */
        get: operations["getTurn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/threads/{thread}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream a thread
         * @description On whichever instance its turns run. A client that loses the connection continues from the position of the last event, here or on another instance. After `reset` the text of the running model call comes again from its beginning.
         */
        get: operations["streamThread"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/threads/{thread}/relay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message on a thread of the gateway, without its client
         * @description Exactly one of `message`, `results` and `again`. The model and the tools are those of the newest call there; tool calls wait until their results are sent. Disconnecting stops the call. With `Accept: text/event-stream` the text is streamed.
         */
        post: operations["relayTurn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/threads/{thread}/calls/{receipt}/prompts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a prompt unchanged, on a new thread
         * @description For trying a variant of a recorded prompt: the model and its options are those of the call. Nothing is compiled, so the receipt of the new call has the hash of these messages and tools. Tool calls wait until their results are sent to the new thread. Disconnecting stops the call. With `Accept: text/event-stream` the text is streamed.
         */
        post: operations["sendPrompt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/threads/{thread}/receipts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the receipts of the newest branch */
        get: operations["listReceipts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/threads/{thread}/dump": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show exactly what the model saw in a call */
        get: operations["dumpCall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/threads/{thread}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Explain why the model saw that */
        get: operations["explainCall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/threads/{thread}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Verify every entry and every prompt */
        get: operations["verifyThread"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/threads/{thread}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make the prompts of a thread again, under other options
         * @description Calls no model, and writes nothing.
         */
        post: operations["replayThread"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/threads/{thread}/state/{state}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a state from the results of its tools */
        get: operations["getState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search entries that contain every word
         * @description The first million characters of an entry are searched. An answer has at most four million characters.
         */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/threads/{thread}/fork": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Fork a thread */
        post: operations["forkThread"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/threads/{thread}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase entries
         * @description The chain stays whole, and can still be verified. The answer says what was erased, and where bytes may remain.
         */
        post: operations["eraseThread"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/threads/{thread}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export a thread as lines of JSON */
        get: operations["exportThread"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/threads/{thread}/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a thread from an export
         * @description Imports everything or nothing; an error names the line. The answer shows the records that came with it. A setup among them applies to later turns.
         */
        post: operations["importThread"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/threads/{thread}/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the model calls of a branch
         * @description Numbers only: nothing that was said.
         */
        get: operations["listCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/threads/{thread}/calls/{receipt}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Inspect a model call: its window, and what happened to every entry
         * @description Admins also see hidden entries, the prompt and its settings; for others these are left out and counted.
         */
        get: operations["inspectCall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/threads/{thread}/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what the counter of a thread counted
         * @description For clients that make its prompts again without that counter.
         */
        get: operations["listCounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/experiments/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check the definition of an experiment
         * @description Starts nothing. For a YAML text the problems have line numbers.
         */
        post: operations["checkExperiment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List runs, the newest first */
        get: operations["listRuns"];
        put?: never;
        /**
         * Start a run of an experiment
         * @description Its tools are made of expressions, or are those that the operator has registered.
         */
        post: operations["beginRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/runs/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Compare two runs, round by round */
        get: operations["compareRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/runs/{run}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a run: who did what in each round, and the environment
         * @description Viewers see neither the definition nor variables that no participant sees; the latter are counted.
         */
        get: operations["getRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/runs/{run}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream a run
         * @description On whichever instance it runs. A client that loses the connection connects again and gets all of it.
         */
        get: operations["watchRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/runs/{run}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a run
         * @description No further turn begins. Running turns are finished.
         */
        post: operations["pauseRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/runs/{run}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a paused run
         * @description It continues where it was.
         */
        post: operations["resumeRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/runs/{run}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a run
         * @description Running turns are asked to stop.
         */
        post: operations["stopRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/runs/{run}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a run that failed or was stopped
         * @description It continues where it was; what is recorded is not done again.
         */
        post: operations["retryRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/runs/{run}/fork": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Fork a run at a round, with a change */
        post: operations["forkRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/runs/{run}/manifest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show what a run was really made with */
        get: operations["getManifest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/runs/{run}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export a run: every event, or a table of its turns */
        get: operations["exportRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List policies: presets, those of the settings, and recorded ones */
        get: operations["listPolicies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/policies/{policy}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Record a policy for the threads of this tenant */
        put: operations["putPolicy"];
        post?: never;
        /**
         * Remove a recorded policy
         * @description Threads that name it continue with the policy of the server.
         */
        delete: operations["deletePolicy"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List keys (metadata only) */
        get: operations["listKeys"];
        put?: never;
        /** Create a key */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/keys/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a key
         * @description Every instance follows within a few seconds.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        StreamEvent: {
            /**
             * @description The message is recorded.
             * @enum {string}
             */
            event: "recorded";
            /**
             * @description The position from which a stream can be resumed. Not on `call` and `result`: they come again with their entry.
             * @example 3.1.24
             */
            id?: string;
            data: components["schemas"]["Turn"];
        } | {
            /**
             * @description A piece of what the running model call says, to be put at `offset`.
             * @enum {string}
             */
            event: "text";
            /**
             * @description The position from which a stream can be resumed. Not on `call` and `result`: they come again with their entry.
             * @example 3.1.24
             */
            id?: string;
            data: {
                term: number;
                offset: number;
                text: string;
            };
        } | {
            /**
             * @description The text so far of the running model call is void.
             * @enum {string}
             */
            event: "reset";
            /**
             * @description The position from which a stream can be resumed. Not on `call` and `result`: they come again with their entry.
             * @example 3.1.24
             */
            id?: string;
            data: {
                term: number;
            };
        } | {
            /**
             * @description The model calls a tool.
             * @enum {string}
             */
            event: "call";
            /**
             * @description The position from which a stream can be resumed. Not on `call` and `result`: they come again with their entry.
             * @example 3.1.24
             */
            id?: string;
            data: {
                entry: string;
                call: {
                    id?: string;
                    name: string;
                    arguments?: unknown;
                };
            };
        } | {
            /**
             * @description A tool has answered.
             * @enum {string}
             */
            event: "result";
            /**
             * @description The position from which a stream can be resumed. Not on `call` and `result`: they come again with their entry.
             * @example 3.1.24
             */
            id?: string;
            data: {
                entry: string;
                call: {
                    id?: string;
                    name?: string;
                };
                status: string;
                text: string;
            };
        } | {
            /**
             * @description An entry that people see. It takes the place of the text that was shown.
             * @enum {string}
             */
            event: "entry";
            /**
             * @description The position from which a stream can be resumed. Not on `call` and `result`: they come again with their entry.
             * @example 3.1.24
             */
            id?: string;
            data: components["schemas"]["Entry"];
        } | {
            /**
             * @description A turn is over. Its `turn` is null if nothing was ever said.
             * @enum {string}
             */
            event: "end";
            /**
             * @description The position from which a stream can be resumed. Not on `call` and `result`: they come again with their entry.
             * @example 3.1.24
             */
            id?: string;
            data: {
                /** @enum {string} */
                status: "waiting" | "running" | "complete" | "partial" | "cancelled" | "failed";
                turn: string | null;
                answer: string | null;
                reason?: {
                    code: string;
                    message: string;
                };
            };
        };
        Turn: {
            thread: string;
            /** @description The id of its user entry; null while the message waits. */
            turn: string | null;
            /** @description The entry of a message that waits. */
            pending: string | null;
            /** @enum {string} */
            status: "waiting" | "running" | "complete" | "partial" | "cancelled" | "failed";
            /** @description The entry of the answer. */
            answer: string | null;
            /** @description What people see of the answer, once there is one. */
            text: string;
            /** @description Why it ended without an answer. */
            reason?: {
                code: string;
                message: string;
            };
            window?: components["schemas"]["WindowShortfall"];
            /**
             * @description Where its stream can be followed from: `?from=` of the stream.
             * @example 3.0.0
             */
            position: string;
        };
        /** @description There only if the thread asks for a larger window than its model has. */
        WindowShortfall: {
            /**
             * @description Tokens that the setup asks for.
             * @example 4096
             */
            asked: number;
            /**
             * @description Tokens that the model has.
             * @example 2048
             */
            given: number;
            /**
             * @description The source of that number.
             * @example /api/ps
             */
            source: string;
            /** @description The same in words, and what to do. */
            reason: string;
        };
        Entry: {
            /**
             * @description The id of an entry.
             * @example 9f2c4e…
             */
            id: string;
            parent: string | null;
            /** @description Its place in the log, from 0, without gaps; hidden entries are counted too. */
            seq: number;
            /** @enum {string} */
            kind: "system" | "user" | "assistant" | "tool" | "note" | "journal" | "pending" | "stop" | "settings" | "receipt" | "revocation" | "retry" | "form" | "event";
            /**
             * @description Who wrote it, known from the channel and never from the text.
             * @enum {string}
             */
            origin: "operator" | "user" | "model" | "tool" | "import" | "minutebook";
            /** @enum {string} */
            status: "complete" | "partial" | "cancelled" | "failed" | "erased";
            text: string;
            calls: components["schemas"]["Call"][];
            /** @description How many images came with it: they are not shown. */
            images: number;
            /** @description Of a tool result: the call that it answers. */
            answers?: {
                id?: string;
                name?: string;
            };
            speaker?: string;
            time?: string;
            /** @description Of a user entry: which turn of the branch it began, from 1. */
            turn?: number;
            /** @description Heads of the branches that leave here, the newest first: one for each way, its newest. */
            elsewhere?: string[];
            /** @description On a thread of the gateway: whether it was said in the console, or is an answer to that. */
            console?: boolean;
        };
        Call: {
            id?: string;
            /** @example weather */
            name: string;
            /** @description A JSON text or a value, as the model gave it. */
            arguments?: unknown;
        };
        About: {
            name: string;
            /** @description Whose threads the key reads and writes. */
            tenant: string;
            scope: string;
            /**
             * @description What the request was authorized by: a key, the token of the local operator, or nothing.
             * @enum {string}
             */
            shown: "key" | "token" | "nothing";
            /** @enum {string} */
            store: "sqlite" | "postgres";
            defaultModel: string | null;
            /** @description The states that can be read. */
            states: string[];
            /** @description For the operator of the installation. */
            upstreams?: ({
                url: string;
            } & {
                [key: string]: unknown;
            })[];
            /** @description The folder of the server. For the operator of the installation. */
            data?: string;
        };
        Error: {
            error: {
                /**
                 * @description For programs.
                 * @example unknown_thread
                 */
                code: string;
                /** @description What is wrong. */
                message: string;
                /** @description What to do about it. */
                fix: string;
                /** @description Of a definition: everything that is wrong with it. */
                problems?: ({
                    field: string;
                    problem: string;
                    fix: string;
                } & {
                    [key: string]: unknown;
                })[];
                /** @description Of a prompt: the window that it was made for, the one that the model has, who says so, and whether the model server can load it with the former. */
                window?: {
                    asked: number;
                    given: number;
                    source: string;
                    canLoad: boolean;
                };
            };
        };
        ToolList: {
            tools: {
                name: string;
                description?: string;
                parameters: {
                    [key: string]: unknown;
                };
            }[];
        };
        ThreadList: {
            threads: components["schemas"]["ThreadSummary"][];
            /** @description Pass it as `after` for the next page. Not there on the last one. */
            next?: string;
        };
        ThreadSummary: {
            /** @example garden */
            thread: string;
            /**
             * @description The first words of the first question.
             * @example What grows in the shade?
             */
            title: string | null;
            /** @example gemma3:4b */
            model: string | null;
            /** @example 7 */
            entries: number;
            /**
             * @description When its newest entry was written.
             * @example 2026-11-15T12:00:00.000Z
             */
            time: string | null;
            /** @description What is worth knowing before it is opened. */
            marks: ("truncated" | "overflow" | "failed" | "partial" | "console")[];
            /** @description Whether it was one question through the gateway and nothing more, such as for a title. */
            oneOff: boolean;
            /** @description Whether it came through the gateway: then its client runs its tools. */
            relayed: boolean;
        };
        Thread: {
            /** @example garden */
            thread: string;
            /**
             * @description The first words of the first question.
             * @example What grows in the shade?
             */
            title: string | null;
            /** @example gemma3:4b */
            model: string | null;
            /** @example 7 */
            entries: number;
            /**
             * @description When its newest entry was written.
             * @example 2026-11-15T12:00:00.000Z
             */
            time: string | null;
            /** @description What is worth knowing before it is opened. */
            marks: ("truncated" | "overflow" | "failed" | "partial" | "console")[];
            /** @description Whether it was one question through the gateway and nothing more, such as for a title. */
            oneOff: boolean;
            /** @description Whether it came through the gateway: then its client runs its tools. */
            relayed: boolean;
            head: string | null;
            setup?: {
                /**
                 * @description The model that answers. Default: that of the server.
                 * @example gemma3:4b
                 */
                model?: string;
                /**
                 * @description Comes first in every prompt.
                 * @example You help with a garden.
                 */
                system?: string;
                /**
                 * @description Names of tools that the operator has registered.
                 * @example [
                 *       "weather"
                 *     ]
                 */
                tools?: string[];
                /**
                 * @description The name of a policy.
                 * @example default
                 */
                policy?: string;
                /**
                 * @description In tokens. Default: the model’s own. It is never more than that: the thread and its turns say in `window` if it asks for more.
                 * @example 4096
                 */
                window?: number;
                /**
                 * @description Tokens that are kept free for the answer.
                 * @example 512
                 */
                reserve?: number;
            };
            window?: components["schemas"]["WindowShortfall"];
        };
        /**
         * @example {
         *       "thread": "garden",
         *       "setup": {
         *         "system": "You help with a garden."
         *       }
         *     }
         */
        NewThread: {
            /**
             * @description Its name. Default: a generated one.
             * @example garden
             */
            thread?: string;
            setup?: {
                /**
                 * @description The model that answers. Default: that of the server.
                 * @example gemma3:4b
                 */
                model?: string;
                /**
                 * @description Comes first in every prompt.
                 * @example You help with a garden.
                 */
                system?: string;
                /**
                 * @description Names of tools that the operator has registered.
                 * @example [
                 *       "weather"
                 *     ]
                 */
                tools?: string[];
                /**
                 * @description The name of a policy.
                 * @example default
                 */
                policy?: string;
                /**
                 * @description In tokens. Default: the model’s own. It is never more than that: the thread and its turns say in `window` if it asks for more.
                 * @example 4096
                 */
                window?: number;
                /**
                 * @description Tokens that are kept free for the answer.
                 * @example 512
                 */
                reserve?: number;
            };
        };
        /**
         * @example {
         *       "model": "gemma3:4b",
         *       "system": "You help with a garden."
         *     }
         */
        Setup: {
            /**
             * @description The model that answers. Default: that of the server.
             * @example gemma3:4b
             */
            model?: string;
            /**
             * @description Comes first in every prompt.
             * @example You help with a garden.
             */
            system?: string;
            /**
             * @description Names of tools that the operator has registered.
             * @example [
             *       "weather"
             *     ]
             */
            tools?: string[];
            /**
             * @description The name of a policy.
             * @example default
             */
            policy?: string;
            /**
             * @description In tokens. Default: the model’s own. It is never more than that: the thread and its turns say in `window` if it asks for more.
             * @example 4096
             */
            window?: number;
            /**
             * @description Tokens that are kept free for the answer.
             * @example 512
             */
            reserve?: number;
        };
        Entries: {
            thread: string;
            /** @description The newest entry of the branch; empty if nothing was said yet. */
            head: string;
            /** @description The heads of all branches, the newest first. */
            branches: string[];
            entries: components["schemas"]["Entry"][];
            /** @description How many entries of the branch are left out. */
            hidden: number;
        };
        /**
         * @example {
         *       "message": "What grows in the shade?",
         *       "id": "d4f1"
         *     }
         */
        NewTurn: {
            /** @description Text, or parts: text and images. */
            message: string | components["schemas"]["MessagePart"][];
            /**
             * @description Your own id for the message: sending it again with the same id does not repeat it.
             * @example d4f1
             */
            id?: string;
            /** @description The entry to continue from. Default: the newest. Another one starts a branch, as for an edited message. Null: from the beginning. */
            after?: string | null;
            /**
             * @description While a turn runs: `reject` (default) answers 409, `queue` waits, `interrupt` ends the running one.
             * @enum {string}
             */
            ifBusy?: "reject" | "queue" | "interrupt";
            /**
             * @description Answers from now on.
             * @example gemma3:4b
             */
            model?: string;
            /** @description Fits conversations from now on. */
            policy?: string;
            /** @description Who says it, if several people do. */
            speaker?: string;
        };
        MessagePart: {
            /** @enum {string} */
            type: "text";
            text: string;
        } | {
            /** @enum {string} */
            type: "image_url";
            image_url: {
                /** @example data:image/png;base64,iVBORw0KGgo= */
                url: string;
            };
        };
        Cancelled: {
            /** @description Whether a turn was running. */
            cancelled: boolean;
        };
        /**
         * @example {
         *       "message": "What grows in the shade?"
         *     }
         */
        RelayTurn: {
            /** @description What is said. */
            message?: string;
            /** @description Results of the calls that the branch ends with, in their order. */
            results?: {
                id?: string;
                name?: string;
                text: string;
            }[];
            /** @description The id of a user entry that is to be answered again. */
            again?: string;
            /** @description The entry to continue from. Default: the newest. Null: from the beginning. */
            after?: string | null;
            /** @description Your own id for it: sending it again with the same id does not repeat it. */
            id?: string;
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
        AskedPrompt: {
            /** @description In the form of the protocol that the call used. */
            messages: ({
                role: string;
            } & {
                [key: string]: unknown;
            })[];
            tools?: ({
                type: string;
            } & {
                [key: string]: unknown;
            })[];
            /**
             * @description Tokens that the prompt was made for.
             * @example 4096
             */
            window: number;
            /** @description Have an Ollama server load the model with this window, if it has a smaller one. Default: the prompt is refused with `window_too_small`. */
            load?: boolean;
        };
        Receipts: {
            receipts: components["schemas"]["Receipt"][];
        };
        Receipt: {
            /** @description The entry that keeps it. */
            id: string;
            seq: number;
            version: number;
            /** @description The entry that the prompt ends with. */
            head: string;
            /** @description SHA-256 of the canonical JSON of the request’s messages and tools. */
            hash: string;
            tokens: {
                /** @description What was sent, by our own count. */
                predicted: number;
                reused: number;
                reported: {
                    /** @description What the server says it read. */
                    prompt?: number;
                    completion?: number;
                    cached?: number;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
            epoch: number;
            /** @description How many entries had each verdict. */
            verdicts: {
                [key: string]: number;
            };
            /** @description What became of the question and of the other entries of its turn. There only if not all of them were sent whole. */
            turn?: {
                question: string;
                verdicts: {
                    [key: string]: number;
                };
            };
            /** @description The window that was asked for, and the one that the model has. There only if that is smaller. */
            window?: {
                asked: number;
                given: number;
                source: string;
            };
            /** @description How the call ended. `refused`: the upstream has a smaller window, and the question was sent again in one that fits. */
            outcome: string;
            /** @description Of a call that was refused: the window that the upstream named, and what it counted in the prompt. */
            told?: {
                window?: number;
                prompt?: number;
            } & {
                [key: string]: unknown;
            };
            /** @description The source of the window size. `assumed`: there was none. */
            windowSource?: string;
            /**
             * @description Whether the server left out a part of what it was sent, by its own counts of this and earlier calls. `unknown`: its counts cannot tell.
             * @enum {string}
             */
            truncated?: "yes" | "no" | "unknown";
        } & {
            [key: string]: unknown;
        };
        Dump: {
            thread: string;
            /** @description The number of its turn on the newest branch; null if it is on another. */
            turn: number | null;
            model: string | null;
            receipt: components["schemas"]["Receipt"];
            /** @description Exactly what was sent. */
            messages: ({
                role: string;
            } & {
                [key: string]: unknown;
            })[];
            tools: ({
                type: string;
            } & {
                [key: string]: unknown;
            })[];
            /** @description The same for people, escaped. */
            text: string;
            hash: string;
            /** @description Whether it equals the prompt that was sent, by its hash. */
            same: boolean;
            /** @description Whether something that it was made of, or may have been made of, was erased since. */
            erased: boolean;
        };
        Explanation: {
            thread: string;
            /** @description The number of its turn on the newest branch; null if it is on another. */
            turn: number | null;
            model: string | null;
            receipt: components["schemas"]["Receipt"];
            /** @description What the window was used for, in the order of the prompt. */
            shares: {
                name: string;
                tokens: number;
            }[];
            plan: {
                policy: string;
                counter: string;
                window: number;
                tokens: number;
                parts: {
                    [key: string]: unknown;
                }[];
                spans: ({
                    verdict: string;
                } & {
                    [key: string]: unknown;
                })[];
            } & {
                [key: string]: unknown;
            };
            same: boolean;
            /** @description Whether something that it was made of, or may have been made of, was erased since. */
            erased: boolean;
        };
        Verification: {
            thread: string;
            /** @description Whether there are no problems. */
            ok: boolean;
            entries: number;
            /** @description Model calls whose prompt was derived again and is the one that was sent. */
            prompts: number;
            /** @description Model calls whose prompt cannot be derived: something in it was erased, or its counter is not available. */
            underivable: number;
            problems: {
                seq: number;
                problem: string;
                /**
                 * @description `entry`: the store does not contain what was written; restore it. `prompt`: the entries are intact, but a derived prompt differs from the one that was sent: a fault of Minutebook.
                 * @enum {string}
                 */
                of: "entry" | "prompt";
            }[];
        };
        Replay: {
            calls: {
                receipt: string;
                head: string;
                tokens: {
                    sent: number;
                    replayed: number;
                    reused: number;
                };
                messages: number;
                /** @description Whether it is the prompt that was sent. */
                same: boolean;
                verdicts: {
                    [key: string]: number;
                };
            }[];
        };
        /**
         * @example {
         *       "window": 2048
         *     }
         */
        ReplayChanges: {
            window?: number;
            reserve?: number;
            /** @description The name of a policy. */
            policy?: string;
        };
        State: {
            thread: string;
            name: string;
            /** @description Null if no result counts. */
            value?: unknown;
        };
        Found: {
            /** @description The newest first. */
            found: {
                thread: string;
                id: string;
                seq: number;
                text: string;
            }[];
        };
        /**
         * @example {
         *       "as": "garden-2"
         *     }
         */
        Fork: {
            /**
             * @description The name of the new thread. Default: a generated one.
             * @example garden-2
             */
            as?: string;
            /** @description The entry that it ends with. Default: the newest. */
            at?: string;
        };
        Erasure: {
            thread: string;
            /** @description The entries that are tombstones now and were not before. */
            erased: string[];
            snapshots: number;
            records: number;
            /** @description Long images that no other entry of the thread holds. */
            images: number;
            /** @description What remains: hashes, and where bytes may be left, with how to remove them. */
            remains: string[];
        };
        /**
         * @example {
         *       "entries": [
         *         "9f2c4e"
         *       ]
         *     }
         */
        Erase: {
            /** @description Ids of entries. Default: all entries of the thread. */
            entries?: string[];
        };
        ImportedThread: {
            /** @example garden */
            thread: string;
            /**
             * @description The first words of the first question.
             * @example What grows in the shade?
             */
            title: string | null;
            /** @example gemma3:4b */
            model: string | null;
            /** @example 7 */
            entries: number;
            /**
             * @description When its newest entry was written.
             * @example 2026-11-15T12:00:00.000Z
             */
            time: string | null;
            /** @description What is worth knowing before it is opened. */
            marks: ("truncated" | "overflow" | "failed" | "partial" | "console")[];
            /** @description Whether it was one question through the gateway and nothing more, such as for a title. */
            oneOff: boolean;
            /** @description Whether it came through the gateway: then its client runs its tools. */
            relayed: boolean;
            /** @description Records that were imported with the entries. */
            records: {
                name: string;
                key: string;
                value?: unknown;
            }[];
        };
        Calls: {
            calls: {
                receipt: components["schemas"]["Receipt"];
                /** @description The number of its turn on the branch, from 1. */
                turn: number;
                /** @description The user entry of that turn. */
                question: string | null;
                model: string | null;
                window: number | null;
                reserve: number | null;
                policy: string | null;
            }[];
        };
        Inspection: {
            thread: string;
            turn: number | null;
            model: string | null;
            receipt: components["schemas"]["Receipt"];
            window: number;
            reserve: number;
            /** @description What the whole prompt costs by the counter. */
            tokens: number;
            overflow: number;
            counter: string;
            policy: string;
            /** @description What the window was used for, in the order of the prompt. */
            shares: {
                name: string;
                tokens: number;
            }[];
            /** @description Every entry, and what happened to it. */
            entries: {
                /**
                 * @description The id of an entry.
                 * @example 9f2c4e…
                 */
                id: string;
                seq: number;
                /** @enum {string} */
                kind: "system" | "user" | "assistant" | "tool" | "note" | "journal" | "pending" | "stop" | "settings" | "receipt" | "revocation" | "retry" | "form" | "event";
                /** @enum {string|null} */
                tier: "system" | "pinned" | "notes" | "outline" | "marker" | "verbatim" | "recall" | "current" | null;
                tokens: number;
                reason: string;
                title: string;
                /** @enum {string} */
                verdict: "verbatim" | "clipped" | "recalled" | "digested" | "outlined" | "omitted" | "hidden";
            }[];
            /** @description The messages of the prompt, each with the segments that it is made of. */
            messages: {
                role: string;
                tokens: number;
                pieces: {
                    label: string;
                    /** @enum {string|null} */
                    tier: "system" | "pinned" | "notes" | "outline" | "marker" | "verbatim" | "recall" | "current" | null;
                    entries: string[];
                    tokens: number;
                    text?: string;
                }[];
            }[];
            /** @description How many messages the previous prompt began with as well, byte for byte. */
            reused: number;
            hash: string;
            /** @description Whether it equals the prompt that was sent, by its hash. */
            same: boolean;
            /** @description Whether something that it was made of, or may have been made of, was erased since. */
            erased: boolean;
            /** @description What is left out, because the key may not see it. */
            hidden: {
                entries: number;
                messages: number;
                tools: number;
            };
            /** @description For admins: exactly what was sent, and its settings. */
            sent?: {
                messages: ({
                    role: string;
                } & {
                    [key: string]: unknown;
                })[];
                tools: ({
                    type: string;
                } & {
                    [key: string]: unknown;
                })[];
                text: string;
                under: {
                    policy: ({
                        name: string;
                    } & {
                        [key: string]: unknown;
                    }) | null;
                    profile: {
                        [key: string]: unknown;
                    };
                    wire: string | null;
                };
            };
        };
        Counts: {
            /** @description Null: the estimator, which every client has. */
            counter: {
                name: string;
                overhead: number | ({
                    message: number;
                } & {
                    [key: string]: unknown;
                });
            } | null;
            /** @description By the first 16 hexadecimal digits of the SHA-256 of a text. */
            counts: {
                [key: string]: number;
            };
        };
        CheckedExperiment: {
            /** @description None: it can be run. */
            problems: components["schemas"]["ExperimentProblem"][];
        };
        ExperimentProblem: {
            /** @description From 1; of a text. */
            line?: number;
            column?: number;
            /** @example participants.ann.sees[0] */
            field: string;
            problem: string;
            fix: string;
        };
        /**
         * @example {
         *       "definition": "name: counting\nenvironment: { total: 0 }\nparticipants: { ann: { model: \"gemma3:4b\", tools: [add] } }\ntools: { add: { changes: { total: total + 1 } } }\ngoals: { success: { ten: total >= 10 } }\n"
         *     }
         */
        CheckExperiment: {
            /** @description The experiment: as data, or as a text of YAML. */
            definition: string | {
                [key: string]: unknown;
            };
        };
        RunList: {
            runs: components["schemas"]["RunSummary"][];
            /** @description Pass it as `after` for the next page. Not there on the last one. */
            next?: string;
        };
        RunSummary: {
            /** @example stand-k3v9x2 */
            run: string;
            /**
             * @description Of the experiment.
             * @example lemonade stand
             */
            name: string;
            seed: number;
            /** @enum {string} */
            status: "running" | "paused" | "stopping" | "success" | "failure" | "limit" | "stopped" | "error";
            /** @description Why it is over: the goal that was reached, or the limit. */
            reason?: string;
            began?: string;
            /** @description When something last happened. */
            changed?: string;
            /** @description The run whose recorded answers are used instead of asking models. */
            answers?: string;
            /** @description The run that it was forked from: it shares all rounds before this one. */
            forked?: {
                run: string;
                round: number;
            };
            spending: components["schemas"]["Spending"];
            /** @description How many rounds it may have. */
            limit: number | null;
            /** @description The current or last round; 0 before the first. */
            round: number;
        };
        Spending: {
            calls: number;
            prompt: number;
            completion: number;
            /** @description Only if every model has a price. */
            cost?: number;
        };
        /**
         * @example {
         *       "definition": "name: counting\nenvironment: { total: 0 }\nparticipants: { ann: { model: \"gemma3:4b\", tools: [add] } }\ntools: { add: { changes: { total: total + 1 } } }\ngoals: { success: { ten: total >= 10 } }\n",
         *       "run": "counting-1"
         *     }
         */
        NewRun: {
            /** @description The experiment: as data, or as a text of YAML. */
            definition: string | {
                [key: string]: unknown;
            };
            /**
             * @description Its name. Default: a generated one.
             * @example stand-k3v9x2
             */
            run?: string;
            /** @description The seed of all randomness. Default: that of the definition. */
            seed?: number;
            /**
             * @description A run whose recorded answers are used instead of asking models.
             * @example stand-k3v9x2
             */
            answers?: string;
        };
        RunComparison: {
            left: string;
            right: string;
            /** @description The first round in which anything differs. */
            parts?: number;
            /** @description The fields of the definitions that differ, and the seeds. For the scopes app and admin. */
            changes?: {
                /** @example participants.ann.model.options.temperature */
                path: string;
                left?: unknown;
                right?: unknown;
            }[];
            rounds: {
                round: number;
                isSame: boolean;
                /** @enum {string} */
                in: "both" | "left" | "right";
                environment: {
                    name: string;
                    left?: unknown;
                    right?: unknown;
                }[];
                turns: {
                    participant: string;
                    turn: number;
                    /** @enum {string} */
                    prompts: "same" | "other";
                    /**
                     * @description Whether it ended in the same way, with the same words.
                     * @enum {string}
                     */
                    answers: "same" | "other";
                    /**
                     * @description Whether it called the same tools, with the same arguments and the same outcome.
                     * @enum {string}
                     */
                    calls: "same" | "other";
                    /** @description The turn in this run. Not there if it did not play. */
                    left?: {
                        /** @enum {string} */
                        status: "playing" | "complete" | "partial" | "cancelled" | "failed";
                        text: string;
                        calls: {
                            tool: string;
                            input: {
                                [key: string]: unknown;
                            };
                            /** @enum {string} */
                            status: "done" | "refused" | "failed" | "interrupted";
                        }[];
                        /** @description In its thread: the first model call whose prompt differs. */
                        receipt?: string;
                    };
                    /** @description The turn in this run. Not there if it did not play. */
                    right?: {
                        /** @enum {string} */
                        status: "playing" | "complete" | "partial" | "cancelled" | "failed";
                        text: string;
                        calls: {
                            tool: string;
                            input: {
                                [key: string]: unknown;
                            };
                            /** @enum {string} */
                            status: "done" | "refused" | "failed" | "interrupted";
                        }[];
                        /** @description In its thread: the first model call whose prompt differs. */
                        receipt?: string;
                    };
                }[];
            }[];
        };
        Run: {
            /** @example stand-k3v9x2 */
            run: string;
            /**
             * @description Of the experiment.
             * @example lemonade stand
             */
            name: string;
            seed: number;
            /** @enum {string} */
            status: "running" | "paused" | "stopping" | "success" | "failure" | "limit" | "stopped" | "error";
            /** @description Why it is over: the goal that was reached, or the limit. */
            reason?: string;
            began?: string;
            /** @description When something last happened. */
            changed?: string;
            /** @description The run whose recorded answers are used instead of asking models. */
            answers?: string;
            /** @description The run that it was forked from: it shares all rounds before this one. */
            forked?: {
                run: string;
                round: number;
            };
            spending: components["schemas"]["Spending"];
            /** @description How many rounds it may have. */
            limit: number | null;
            participants: {
                name: string;
                model: string;
                /** @description An ordinary thread: what the model saw is found there. */
                thread: string;
                spending: components["schemas"]["Spending"];
            }[];
            rounds: components["schemas"]["RunRound"][];
            /** @description As it is now. */
            environment: {
                [key: string]: unknown;
            };
            initial: {
                [key: string]: unknown;
            };
            /** @description What the run is made of. For the scopes app and admin. */
            definition?: unknown;
            /** @description How many variables are left out for viewers, because no participant sees them. */
            hidden: number;
        };
        RunRound: {
            round: number;
            name: string;
            /** @enum {string} */
            play: "sequence" | "parallel" | "addressed";
            /** @description Who plays, in order. */
            order: string[];
            isOver: boolean;
            began?: string;
            ended?: string;
            /** @description After the round, or as it is now. */
            environment: {
                [key: string]: unknown;
            };
            /** @description Turns of participants. */
            cells: components["schemas"]["RunCell"][];
        };
        RunCell: {
            participant: string;
            /** @description Counted from 0 within the round. */
            turn: number;
            /** @enum {string} */
            status: "playing" | "complete" | "partial" | "cancelled" | "failed";
            text: string;
            reason?: {
                code: string;
                message: string;
            };
            /** @description The entry of its thread with the question. */
            asked?: string;
            calls: {
                /** @description In its thread: what the model saw. */
                receipt: string;
                /** @description Of the prompt. */
                hash: string;
                prompt: number;
                completion: number;
                /** @description How many entries had each verdict. */
                verdicts: {
                    [key: string]: number;
                };
                /** @description What became of the question and of the other entries of its turn. There only if not all of them were sent whole. */
                turn?: {
                    question: string;
                    verdicts: {
                        [key: string]: number;
                    };
                };
                /** @description The window that was asked for, and the one that the model has. There only if that is smaller. */
                window?: {
                    asked: number;
                    given: number;
                    source: string;
                };
                /** @description Whether no whole answer came of it. */
                isVain?: boolean;
            }[];
            effects: {
                tool: string;
                input: {
                    [key: string]: unknown;
                };
                told: string;
                changes: {
                    [key: string]: unknown;
                };
                /** @enum {string} */
                status: "done" | "refused" | "failed" | "interrupted";
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
        ForkRun: {
            /**
             * @description The name of the new run. Default: a generated one.
             * @example stand-k3v9x2
             */
            as?: string;
            /** @description The first round that is played again. */
            round: number;
            /** @description Changes to the definition of the run, as a JSON merge patch. */
            changes?: {
                [key: string]: unknown;
            };
        };
        Manifest: {
            experiment: string;
            /** @description SHA-256 of its canonical JSON. */
            definition: string;
            seed: number;
            participants: {
                name: string;
                /** @description As they were sent, in order if they changed. */
                settings: {
                    /** @description How many model calls were made under these. */
                    calls: number;
                    compiler: number;
                    model: string | null;
                    wire: string | null;
                    /** @description Options, seed and digest of the model, as far as they are known. */
                    facts?: {
                        [key: string]: unknown;
                    };
                    window: number;
                    reserve: number | null;
                    policy?: unknown;
                    counter?: unknown;
                    tools: string[];
                }[];
            }[];
        };
        PolicyList: {
            policies: components["schemas"]["NamedPolicy"][];
        };
        NamedPolicy: {
            /** @example short */
            name: string;
            /** @enum {string} */
            source: "preset" | "configured" | "recorded";
            policy: {
                /** @enum {string} */
                preset: "default" | "lastMessages" | "tiered" | "firstAndRecent";
                /**
                 * @description Of `default`.
                 * @enum {string}
                 */
                recall?: "off" | "gated" | "eager";
                epochs?: boolean;
                /** @description Of `lastMessages`: how many. */
                messages?: number;
                /** @description Of `tiered`: how many exchanges. */
                verbatim?: number;
                /** @enum {string} */
                overflow?: "error" | "keep";
                /** @description Whether the model is asked for notes to self. */
                notes?: boolean;
                journal?: boolean;
                /**
                 * @description The role of notes and journal in prompts. Default: `system`.
                 * @enum {string}
                 */
                notesRole?: "system" | "user";
                /** @description Other shares for the tiers of the preset. */
                shares?: {
                    outline?: number;
                    recall?: number;
                    notes?: number;
                };
            };
        };
        /**
         * @example {
         *       "preset": "tiered",
         *       "verbatim": 2
         *     }
         */
        Policy: {
            /** @enum {string} */
            preset: "default" | "lastMessages" | "tiered" | "firstAndRecent";
            /**
             * @description Of `default`.
             * @enum {string}
             */
            recall?: "off" | "gated" | "eager";
            epochs?: boolean;
            /** @description Of `lastMessages`: how many. */
            messages?: number;
            /** @description Of `tiered`: how many exchanges. */
            verbatim?: number;
            /** @enum {string} */
            overflow?: "error" | "keep";
            /** @description Whether the model is asked for notes to self. */
            notes?: boolean;
            journal?: boolean;
            /**
             * @description The role of notes and journal in prompts. Default: `system`.
             * @enum {string}
             */
            notesRole?: "system" | "user";
            /** @description Other shares for the tiers of the preset. */
            shares?: {
                outline?: number;
                recall?: number;
                notes?: number;
            };
        };
        Removed: {
            removed: boolean;
        };
        KeyList: {
            keys: {
                /** @example website */
                name: string;
                /** @example default */
                tenant: string;
                /** @enum {string} */
                scope: "admin" | "app" | "viewer";
                /** @enum {string} */
                source: "configured" | "recorded";
                /** @description When it was made. */
                time?: string;
                /** @description When it was revoked, if it was. */
                revoked?: string;
            }[];
        };
        MadeKey: {
            /** @example website */
            name: string;
            /** @example default */
            tenant: string;
            /** @enum {string} */
            scope: "admin" | "app" | "viewer";
            /** @enum {string} */
            source: "configured" | "recorded";
            /** @description When it was made. */
            time?: string;
            /** @description When it was revoked, if it was. */
            revoked?: string;
            /**
             * @description Shown only once.
             * @example mb_…
             */
            key: string;
        };
        /**
         * @example {
         *       "name": "website",
         *       "scope": "app"
         *     }
         */
        NewKey: {
            /** @example website */
            name: string;
            /** @description Default: that of the key that asks. Only the operator of the installation makes keys of other tenants. */
            tenant?: string;
            /** @enum {string} */
            scope: "admin" | "app" | "viewer";
        };
        Key: {
            /** @example website */
            name: string;
            /** @example default */
            tenant: string;
            /** @enum {string} */
            scope: "admin" | "app" | "viewer";
            /** @enum {string} */
            source: "configured" | "recorded";
            /** @description When it was made. */
            time?: string;
            /** @description When it was revoked, if it was. */
            revoked?: string;
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
    about: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The server. Nothing in it is secret. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["About"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listTools: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Their names, for setups. Those of MCP servers that do not answer are missing. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["ToolList"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listThreads: {
        parameters: {
            query?: {
                /** @description How many. Default: 100. */
                limit?: number;
                /** @description The `next` of the page before. */
                after?: string;
                /** @description Only threads that have one of these marks, with commas between. A page may then be short, and still have a `next`. */
                marks?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of threads. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["ThreadList"];
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_page`: There is no such page.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createThread: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NewThread"];
            };
        };
        responses: {
            /** @description It is created. */
            201: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["Thread"];
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
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_policy`: There is no policy of the name. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The body came so slowly that other requests waited for its memory. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `thread_exists`: There is a thread of this name already. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server takes, or would take more memory than one tenant may have. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The body has another content type than the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getThread: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                thread: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The thread. Viewers do not see its setup. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["Thread"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_thread`: There is no such thread. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putSetup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                thread: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Setup"];
            };
        };
        responses: {
            /** @description The thread with its new setup. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["Thread"];
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
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unknown_thread`: There is no such thread.
             *
             *     `unknown_policy`: There is no policy of the name.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The body came so slowly that other requests waited for its memory. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `run_thread`: The thread belongs to a participant of a run, and only the run writes there. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server takes, or would take more memory than one tenant may have. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The body has another content type than the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listEntries: {
        parameters: {
            query?: {
                /** @description The branch that ends with this entry. Default: the newest one. */
                head?: string;
                /** @description 1: also entries that people do not see. For admins only. */
                hidden?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                thread: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entries of the branch, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["Entries"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unknown_thread`: There is no such thread.
             *
             *     `unknown_entry`: The thread has no such entry.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    sendTurn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                thread: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTurn"];
            };
        };
        responses: {
            /** @description The message is recorded. */
            202: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["Turn"];
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
                    "text/event-stream": string;
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_json`: The body is not JSON.
             *
             *     `malformed_message`: The message cannot be read.
             *
             *     `no_model`: No model is specified.
             *
             *     `unknown_model`: No upstream has the model.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unknown_thread`: There is no such thread.
             *
             *     `unknown_entry`: The thread has no such entry.
             *
             *     `unknown_policy`: There is no policy of the name.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The body came so slowly that other requests waited for its memory. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `run_thread`: The thread belongs to a participant of a run, and only the run writes there.
             *
             *     `busy`: A turn is running, and the message was not to wait or to interrupt.
             *
             *     `id_taken`: The id was used for another message.
             *
             *     `erased_before`: The same words were erased at this place.
             *
             *     `not_recorded`: The message was not recorded: it was withdrawn, or another one was faster.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `body_too_long`: The body is longer than the server takes, or would take more memory than one tenant may have.
             *
             *     `thread_too_large`: With this, the thread would hold more than the server keeps in memory.
             */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The body has another content type than the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    retryTurn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                thread: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It will be answered. */
            202: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["Turn"];
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
                    "text/event-stream": string;
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `no_model`: No model is specified.
             *
             *     `unknown_model`: No upstream has the model.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_thread`: There is no such thread. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `run_thread`: The thread belongs to a participant of a run, and only the run writes there.
             *
             *     `busy`: A turn is running, and the message was not to wait or to interrupt.
             *
             *     `nothing_to_answer`: There is no message to answer again.
             *
             *     `not_recorded`: The message was not recorded: it was withdrawn, or another one was faster.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    cancelTurn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                thread: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No earlier turn runs any more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "cancelled": true
                     *     }
                     */
                    "application/json": components["schemas"]["Cancelled"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_thread`: There is no such thread. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `run_thread`: The thread belongs to a participant of a run, and only the run writes there. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTurn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                thread: string;
                /** @description The id of an entry. */
                turn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The turn. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["Turn"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unknown_thread`: There is no such thread.
             *
             *     `unknown_turn`: The thread has no such turn.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    streamThread: {
        parameters: {
            query?: {
                /** @description The position to continue from: the `id` of the last event that was seen. The header `last-event-id` does the same. Default: the stream begins with the running turn. */
                from?: string;
                /** @description `rest`: the stream ends when no turn runs and nothing waits. Default: it continues with later turns. */
                until?: "rest";
            };
            header?: never;
            path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                thread: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events, until the client leaves; with `until=rest` until no turn runs. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "text/event-stream": string;
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_position`: This is not a position of a stream.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_thread`: There is no such thread. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    relayTurn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                thread: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RelayTurn"];
            };
        };
        responses: {
            /** @description The turn, answered or stopped. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["Turn"];
                    "text/event-stream": string;
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_json`: The body is not JSON.
             *
             *     `malformed_message`: The message cannot be read.
             *
             *     `no_model`: No model is specified.
             *
             *     `unknown_model`: No upstream has the model.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unknown_thread`: There is no such thread.
             *
             *     `unknown_entry`: The thread has no such entry.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The body came so slowly that other requests waited for its memory. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `run_thread`: The thread belongs to a participant of a run, and only the run writes there.
             *
             *     `id_taken`: The id was used for another message.
             *
             *     `erased_before`: The same words were erased at this place.
             *
             *     `nothing_to_answer`: There is no message to answer again.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `body_too_long`: The body is longer than the server takes, or would take more memory than one tenant may have.
             *
             *     `thread_too_large`: With this, the thread would hold more than the server keeps in memory.
             */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The body has another content type than the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    sendPrompt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                thread: string;
                /** @description The id of the receipt of a model call. */
                receipt: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AskedPrompt"];
            };
        };
        responses: {
            /** @description The turn on the new thread, answered or stopped. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["Turn"];
                    "text/event-stream": string;
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_json`: The body is not JSON.
             *
             *     `malformed_message`: The message cannot be read.
             *
             *     `no_model`: No model is specified.
             *
             *     `unknown_model`: No upstream has the model.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unknown_thread`: There is no such thread.
             *
             *     `unknown_call`: The thread has no such model call.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The body came so slowly that other requests waited for its memory. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `window_too_small`: The model has a smaller window than the prompt was made for; `window` says how large it is, and if the model server can load the model with more.
             *
             *     `other_protocol`: The prompt has the form of another protocol than the model uses now.
             *
             *     `nothing_to_answer`: There is no message to answer again.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `body_too_long`: The body is longer than the server takes, or would take more memory than one tenant may have.
             *
             *     `thread_too_large`: With this, the thread would hold more than the server keeps in memory.
             */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The body has another content type than the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listReceipts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                thread: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The receipts, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["Receipts"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_thread`: There is no such thread. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    dumpCall: {
        parameters: {
            query?: {
                /** @description The number of a turn from 1, or the id of its user entry: its last model call. */
                turn?: string;
                /** @description A model call by its receipt. With neither: the last call of all. */
                receipt?: string;
            };
            header?: never;
            path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                thread: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The prompt, derived again and checked against its receipt. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["Dump"];
                    "text/plain": string;
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_call`: Both a turn and a receipt are named.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unknown_thread`: There is no such thread.
             *
             *     `unknown_call`: The thread has no such model call.
             *
             *     `no_calls`: The thread has no recorded model calls.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `cannot_derive`: The prompt cannot be derived again: its counter is not available, or parts of it were erased. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    explainCall: {
        parameters: {
            query?: {
                /** @description The number of a turn from 1, or the id of its user entry: its last model call. */
                turn?: string;
                /** @description A model call by its receipt. With neither: the last call of all. */
                receipt?: string;
            };
            header?: never;
            path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                thread: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plan of the prompt: one verdict for every entry. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["Explanation"];
                    "text/plain": string;
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_call`: Both a turn and a receipt are named.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unknown_thread`: There is no such thread.
             *
             *     `unknown_call`: The thread has no such model call.
             *
             *     `no_calls`: The thread has no recorded model calls.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `cannot_derive`: The prompt cannot be derived again: its counter is not available, or parts of it were erased. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    verifyThread: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                thread: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was found. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["Verification"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_thread`: There is no such thread. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    replayThread: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                thread: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayChanges"];
            };
        };
        responses: {
            /** @description The model calls of the newest branch, as they would have been. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["Replay"];
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unknown_thread`: There is no such thread.
             *
             *     `unknown_policy`: There is no policy of the name.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The body came so slowly that other requests waited for its memory. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `cannot_derive`: The prompt cannot be derived again: its counter is not available, or parts of it were erased. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server takes, or would take more memory than one tenant may have. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The body has another content type than the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getState: {
        parameters: {
            query?: {
                /** @description As of this entry. Default: now. */
                at?: string;
            };
            header?: never;
            path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                thread: string;
                state: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["State"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unknown_thread`: There is no such thread.
             *
             *     `unknown_state`: No state of this name is configured.
             *
             *     `unknown_entry`: The thread has no such entry.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    search: {
        parameters: {
            query: {
                /** @description Words that must all occur. */
                query: string;
                /** @description In this thread alone. */
                thread?: string;
                /** @description How many. Default: 20. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entries that were found and that people may see. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["Found"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_thread`: There is no such thread. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    forkThread: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                thread: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Fork"];
            };
        };
        responses: {
            /** @description The new thread. */
            201: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["ThreadSummary"];
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_json`: The body is not JSON.
             *
             *     `invalid_thread`: This cannot be the name of a thread.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unknown_thread`: There is no such thread.
             *
             *     `unknown_entry`: The thread has no such entry.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The body came so slowly that other requests waited for its memory. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `thread_exists`: There is a thread of this name already. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server takes, or would take more memory than one tenant may have. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The body has another content type than the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    eraseThread: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                thread: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Erase"];
            };
        };
        responses: {
            /** @description The receipt of the erasure. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["Erasure"];
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unknown_thread`: There is no such thread.
             *
             *     `unknown_entry`: The thread has no such entry.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The body came so slowly that other requests waited for its memory. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server takes, or would take more memory than one tenant may have. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The body has another content type than the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    exportThread: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                thread: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole log, for an import. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_thread`: There is no such thread. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    importThread: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                thread: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-ndjson": string;
            };
        };
        responses: {
            /** @description The restored thread. */
            201: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["ImportedThread"];
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_json`: The body is not JSON.
             *
             *     `invalid_thread`: This cannot be the name of a thread.
             *
             *     `corrupt_line`: A line of the import was changed, or does not come from an export; the message names it. Nothing was imported.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The body came so slowly that other requests waited for its memory. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `thread_exists`: There is a thread of this name already.
             *
             *     `run_thread`: The thread belongs to a participant of a run, and only the run writes there.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server takes, or would take more memory than one tenant may have. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The body has another content type than the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listCalls: {
        parameters: {
            query?: {
                /** @description The branch that ends with this entry. Default: the newest one. */
                head?: string;
            };
            header?: never;
            path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                thread: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The calls, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["Calls"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unknown_thread`: There is no such thread.
             *
             *     `unknown_entry`: The thread has no such entry.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    inspectCall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                thread: string;
                /** @description The id of the receipt of a model call. */
                receipt: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["Inspection"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unknown_thread`: There is no such thread.
             *
             *     `unknown_call`: The thread has no such model call.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `cannot_derive`: The prompt cannot be derived again: its counter is not available, or parts of it were erased. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listCounts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the thread. One that holds anything but letters, digits, "_" and "-" is sent as "~" and its bytes in base64url. */
                thread: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["Counts"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_thread`: There is no such thread. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `cannot_derive`: The prompt cannot be derived again: its counter is not available, or parts of it were erased. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    checkExperiment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckExperiment"];
            };
        };
        responses: {
            /** @description Everything that must be fixed before it can run. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["CheckedExperiment"];
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The body came so slowly that other requests waited for its memory. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server takes, or would take more memory than one tenant may have. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The body has another content type than the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listRuns: {
        parameters: {
            query?: {
                /** @description How many. Default: 50. */
                limit?: number;
                /** @description The `next` of the page before. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of runs. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["RunList"];
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_page`: There is no such page.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    beginRun: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRun"];
            };
        };
        responses: {
            /** @description It is recorded, and continues by itself on any instance. */
            201: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["RunSummary"];
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_json`: The body is not JSON.
             *
             *     `invalid_experiment`: The definition cannot be run; `problems` has everything that is wrong, with field and fix, and lines if it came as a text.
             *
             *     `unknown_tool`: No tool is registered under the name.
             *
             *     `unknown_model`: No upstream has the model.
             *
             *     `no_model`: No model is specified.
             *
             *     `invalid_run`: This cannot be the name of a run.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The scope of the key is too small.
             *
             *     `tool_not_allowed`: The definition brings a tool of its own; a server runs those that its operator has registered, and expressions.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unknown_policy`: There is no policy of the name.
             *
             *     `unknown_run`: There is no such run.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The body came so slowly that other requests waited for its memory. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `run_exists`: There is a run of this name already. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server takes, or would take more memory than one tenant may have. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The body has another content type than the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    compareRuns: {
        parameters: {
            query: {
                /** @description The name of the run. */
                left: string;
                /** @description The name of the run. */
                right: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where they differ: definitions by field, prompts by hash, answers by text, tool calls by argument, the environment by value. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["RunComparison"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_run`: There is no such run. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the run. */
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_run`: There is no such run. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    watchRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the run. */
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events, until the run is over or the client leaves. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example event: board
                     *     data: {"run":"counting-1","name":"counting","seed":1,"status":"running","limit":100,"began":"2026-11-15T12:00:00.000Z","changed":"2026-11-15T12:00:07.000Z","spending":{"calls":2,"prompt":180,"completion":24},"participants":[{"name":"ann","model":"gemma3:4b","thread":"run/counting-1/ann","spending":{"calls":2,"prompt":180,"completion":24}}],"rounds":[],"environment":{"total":1},"initial":{"total":0},"hidden":0}
                     */
                    "text/event-stream": string;
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_run`: There is no such run. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    pauseRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the run. */
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is recorded. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["RunSummary"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_run`: There is no such run. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_possible`: The run is in another state: only a running one can be paused, a paused one resumed, a failed or stopped one retried. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resumeRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the run. */
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is recorded. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["RunSummary"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_run`: There is no such run. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_possible`: The run is in another state: only a running one can be paused, a paused one resumed, a failed or stopped one retried. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    stopRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the run. */
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is recorded. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["RunSummary"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_run`: There is no such run. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_possible`: The run is in another state: only a running one can be paused, a paused one resumed, a failed or stopped one retried. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    retryRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the run. */
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is recorded. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["RunSummary"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_run`: There is no such run. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_possible`: The run is in another state: only a running one can be paused, a paused one resumed, a failed or stopped one retried. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    forkRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the run. */
                run: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ForkRun"];
            };
        };
        responses: {
            /** @description The new run. */
            201: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["RunSummary"];
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_json`: The body is not JSON.
             *
             *     `invalid_experiment`: The definition cannot be run; `problems` has everything that is wrong, with field and fix, and lines if it came as a text.
             *
             *     `unknown_tool`: No tool is registered under the name.
             *
             *     `unknown_model`: No upstream has the model.
             *
             *     `no_model`: No model is specified.
             *
             *     `invalid_run`: This cannot be the name of a run.
             *
             *     `invalid_fork`: A fork cannot change this.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The scope of the key is too small.
             *
             *     `tool_not_allowed`: The definition brings a tool of its own; a server runs those that its operator has registered, and expressions.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unknown_policy`: There is no policy of the name.
             *
             *     `unknown_run`: There is no such run.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The body came so slowly that other requests waited for its memory. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `run_exists`: There is a run of this name already.
             *
             *     `unknown_round`: The run did not come to that round.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server takes, or would take more memory than one tenant may have. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The body has another content type than the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getManifest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the run. */
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Models with digest, options and seed, windows, policies and the version of the compiler, as they were sent. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["Manifest"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_run`: There is no such run. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    exportRun: {
        parameters: {
            query?: {
                /** @description `jsonl` (default): every event. `csv`: one row per turn. */
                format?: "jsonl" | "csv";
            };
            header?: never;
            path: {
                /** @description The name of the run. */
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Everything that is recorded of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_run`: There is no such run. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listPolicies: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["PolicyList"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                policy: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Policy"];
            };
        };
        responses: {
            /** @description It is recorded. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["NamedPolicy"];
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The body came so slowly that other requests waited for its memory. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `policy_taken`: The name is of a preset, or of a policy in the settings of the server. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server takes, or would take more memory than one tenant may have. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The body has another content type than the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deletePolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                policy: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "removed": true
                     *     }
                     */
                    "application/json": components["schemas"]["Removed"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_policy`: There is no policy of the name. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `policy_taken`: The name is of a preset, or of a policy in the settings of the server. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them, revoked ones too. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["KeyList"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewKey"];
            };
        };
        responses: {
            /** @description The key. It is shown only once. */
            201: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["MadeKey"];
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it.
             *
             *     `invalid_json`: The body is not JSON.
             *
             *     `invalid_key`: A key cannot have this name, tenant or scope.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The scope of the key is too small.
             *
             *     `foreign_tenant`: Only the operator of the installation makes keys of another tenant.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The body came so slowly that other requests waited for its memory. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `key_exists`: There is a key of this name already. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server takes, or would take more memory than one tenant may have. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The body has another content type than the operation takes. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the key. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is revoked. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": components["schemas"]["Key"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed; the message names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: No key was sent, or one that is not known. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The scope of the key is too small. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_key`: There is no such recorded key. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `configured_key`: The key is in the settings of the server. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too much in a minute, or runs too many turns at once; `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed; its log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns wait, or running requests use all the memory that there is for them; `retry-after` says when to retry.
             *
             *     `store_unreachable`: The record cannot be reached.
             */
            503: {
                headers: {
                    /** @description Seconds after which it is worth while to try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
