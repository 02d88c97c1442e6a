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
    "/minutebook/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the models that a thread can name */
        get: operations["listModels"];
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
        /** List threads, the most recently written first */
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
    "/minutebook/v1/thread-counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count the newest threads by sort and by mark */
        get: operations["countThreads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/example": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Load an example thread
         * @description Calls no model. If the thread exists already, it stays as it is.
         */
        post: operations["loadExample"];
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
        /** Show the summary of a thread */
        get: operations["getThread"];
        put?: never;
        post?: never;
        /**
         * Remove a thread
         * @description Removes the entries and all that was kept with them. A turn that runs on the thread ends. A new thread may have the same name. To keep the chain of entries and remove only what they say, erase the thread instead.
         */
        delete: operations["removeThread"];
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
    "/minutebook/v1/threads/{thread}/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change some of the metadata of a thread
         * @description Pairs that the body does not name stay as they are.
         */
        patch: operations["changeMetadata"];
        trace?: never;
    };
    "/minutebook/v1/threads/{thread}/pins/{entry}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Pin a message, so that every later prompt has it
         * @description A message of a user, a model or a tool. A call or a result brings its whole step. All pinned messages of a thread together may take a share of the window, and are shortened to that.
         */
        put: operations["pinEntry"];
        post?: never;
        /** Unpin a message */
        delete: operations["unpinEntry"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/threads/{thread}/entries/{entry}/images/{image}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an image of an entry
         * @description A recorded PNG, JPEG, GIF or WebP image of up to 8 MB, by its first bytes. Any other image, and one behind an address, is unknown. An entry that the key may not see is not found.
         */
        get: operations["getImage"];
        put?: never;
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
         * @description With `hidden=1`, the list also contains notes, journal, receipts and settings. That needs the scope admin.
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
    "/minutebook/v1/threads/{thread}/feedback/{entry}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Rate a message, comment on it, or tag it
         * @description A message of a user, a model or a tool. It is in no prompt. It replaces what the same key said of the message before.
         */
        put: operations["rateEntry"];
        post?: never;
        /** Take back the feedback of this key for a message */
        delete: operations["unrateEntry"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List messages with feedback */
        get: operations["listFeedback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/feedback/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export rated messages, with their prompts, as lines of JSON
         * @description One line for each piece of feedback: the prompt as it was sent (null if it cannot be derived), what was said, and the feedback.
         */
        get: operations["exportFeedback"];
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
         * @description The server answers as soon as the message is recorded. An instance completes the turn even if the client disconnects. With `Accept: text/event-stream` the answer is the stream of the turn.
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
         * @description After a failure, the turn continues where it stopped. After an answer, the new answer starts a branch.
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
         * @description Also cancels a turn that runs on another instance. What was recorded stays, and waiting messages are answered next. To end the turns of a run, stop the run.
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
         * @description Any instance can stream the thread, even if another one runs its turns. A client that loses the connection can continue from the position of the last event, on this or another instance. After `reset`, the text of the running model call is sent again from its beginning.
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
    "/minutebook/v1/waiting": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the calls that wait for a decision, in all threads */
        get: operations["listWaiting"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/threads/{thread}/waiting": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the calls of a thread that wait for a decision */
        get: operations["listOpenCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/threads/{thread}/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide about a call that waits, and continue the turn
         * @description The first decision counts. The same decision again changes nothing, and another one is refused with 409. A call that needs approval is decided by an admin, or with a key that has `decide`; on a server without keys, by anybody. The login through which the decision came is recorded. Any instance continues the turn. For a participant of a run that is a person, the run continues, too. If other calls of the turn still wait, the turn waits again. With `Accept: text/event-stream` the answer is the stream of the turn.
         */
        post: operations["decideCall"];
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
         * @description Send exactly one of `message`, `results` and `again`. The model and the tools are those of the newest call on the branch. Tool calls wait until their results are sent. Disconnecting stops the call. With `Accept: text/event-stream` the text is streamed.
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
         * @description Use this to try a variant of a recorded prompt. The model and its options are taken from the recorded call. Nothing is compiled, so the receipt of the new call has the hash of these messages and tools. Tool calls wait until their results are sent to the new thread. Disconnecting stops the call. With `Accept: text/event-stream` the text is streamed.
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
        /** Explain why the model saw what it saw in a call */
        get: operations["explainCall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/threads/{thread}/cache": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show for each call why the prompt cache of the model server missed */
        get: operations["listCacheUsage"];
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
        /** Verify every entry and every prompt, or the newest ones */
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
         * Build the prompts of a thread again, with other options
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
        /** Compute a state from the results of its tools */
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
         * @description The first million characters of an entry are searched. The answer contains at most four million characters.
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
         * @description The chain of entries stays complete, and can still be verified. The answer says what was erased, and where bytes may remain.
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
         * @description Imports everything or nothing. If a line is invalid, the error names the line. The answer lists the records that were imported with the entries. If one of them is a setup, later turns use it.
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
         * @description Returns only numbers, and no text of the conversation.
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
         * @description Admins also see hidden entries, the prompt and its settings. For other callers these are left out, and `hidden` says how many.
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
    "/minutebook/v1/threads/{thread}/entries/{entry}/lane": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow an entry through all model calls after it
         * @description Says of each call whether the model had the entry, and of the newest call without it what would have kept it, with prices. Returns no text but the words that recall looked for. An entry that the key may not see is not found.
         */
        get: operations["getLane"];
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
         * List the token counts of the texts of a thread
         * @description With these counts, a client that does not have the counter of the thread can build its prompts again.
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
    "/minutebook/v1/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sum up the model calls of all threads, and list the threads that need a look
         * @description Calls are counted when their answer is recorded. The figures stay when a thread is erased or removed. Only the scope admin sees the names of other keys.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the model calls of all threads, the newest first
         * @description Cost does not grow with the number of threads or calls.
         */
        get: operations["listAllCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/calls/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the newest model calls by their values
         * @description A value is counted among the calls that the filters of the other fields let through.
         */
        get: operations["countCalls"];
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
         * @description Starts nothing. If the definition is a YAML text, the problems have line numbers.
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
         * @description Each tool of the experiment must be made of expressions, or be registered by the operator.
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
    "/minutebook/v1/runs/compare/outcomes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare the outcomes of up to 100 runs
         * @description Without the rounds of the runs. Viewers see neither what differs in the definitions nor variables that no participant sees.
         */
        get: operations["compareOutcomes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/minutebook/v1/runs/compare/series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare variables of up to 100 runs over their rounds
         * @description For plots: the variables that are numbers, without anything else of the runs.
         */
        get: operations["compareSeries"];
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
         * @description Viewers see neither the definition nor variables that no participant sees. `hidden` says how many variables are left out.
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
         * @description Any instance can stream the run, even if another one runs it. A client that loses the connection can connect again, and gets the whole run again.
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
         * @description The run continues where it was paused.
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
         * @description The server asks running turns to stop.
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
         * @description The run continues where it ended. Nothing that is recorded is done again.
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
        /** Show what a run actually ran with */
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
        /** List policies: presets, policies of the settings, and recorded policies */
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
         * @description Threads that name this policy continue with the policy of the server.
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
        /** List keys, without their secrets */
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
         * @description The key is invalid on every instance within a few seconds.
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
             * @description The position from which a stream can be resumed. The events `call` and `result` have none, because they are sent again with their entry.
             * @example 3.1.24
             */
            id?: string;
            data: components["schemas"]["Turn"];
        } | {
            /**
             * @description A piece of the text of the running model call. Its place in that text is `offset`.
             * @enum {string}
             */
            event: "text";
            /**
             * @description The position from which a stream can be resumed. The events `call` and `result` have none, because they are sent again with their entry.
             * @example 3.1.24
             */
            id?: string;
            data: {
                offset: number;
                text: string;
            };
        } | {
            /**
             * @description The text of the running model call is void so far: discard it.
             * @enum {string}
             */
            event: "reset";
            /**
             * @description The position from which a stream can be resumed. The events `call` and `result` have none, because they are sent again with their entry.
             * @example 3.1.24
             */
            id?: string;
            data: Record<string, never>;
        } | {
            /**
             * @description The model calls a tool.
             * @enum {string}
             */
            event: "call";
            /**
             * @description The position from which a stream can be resumed. The events `call` and `result` have none, because they are sent again with their entry.
             * @example 3.1.24
             */
            id?: string;
            data: {
                entry: string;
                call: components["schemas"]["Call"];
            };
        } | {
            /**
             * @description A tool has answered.
             * @enum {string}
             */
            event: "result";
            /**
             * @description The position from which a stream can be resumed. The events `call` and `result` have none, because they are sent again with their entry.
             * @example 3.1.24
             */
            id?: string;
            data: {
                entry: string;
                call: {
                    id?: string;
                    name?: string;
                };
                /** @enum {string} */
                status: "complete" | "partial" | "cancelled" | "failed" | "erased";
                text: string;
                /** @description The value of the text if that is JSON, else the text. */
                output?: unknown;
            };
        } | {
            /**
             * @description An entry that people see. It replaces the text that was shown for it.
             * @enum {string}
             */
            event: "entry";
            /**
             * @description The position from which a stream can be resumed. The events `call` and `result` have none, because they are sent again with their entry.
             * @example 3.1.24
             */
            id?: string;
            data: components["schemas"]["Entry"];
        } | {
            /**
             * @description The newest branch is another one, because a message was edited or answered again. These entries replace those that follow the entry `after`. If `after` is null, they replace all.
             * @enum {string}
             */
            event: "branch";
            /**
             * @description The position from which a stream can be resumed. The events `call` and `result` have none, because they are sent again with their entry.
             * @example 3.1.24
             */
            id?: string;
            data: {
                after: string | null;
                entries: components["schemas"]["Entry"][];
            };
        } | {
            /**
             * @description Something else is shown of an earlier entry than before, such as its feedback: read it again.
             * @enum {string}
             */
            event: "changed";
            /**
             * @description The position from which a stream can be resumed. The events `call` and `result` have none, because they are sent again with their entry.
             * @example 3.1.24
             */
            id?: string;
            data: {
                entry: string;
            };
        } | {
            /**
             * @description A turn is over, or waits for a decision about the calls in `waiting`. `turn` is null if the message was withdrawn before its turn began.
             * @enum {string}
             */
            event: "end";
            /**
             * @description The position from which a stream can be resumed. The events `call` and `result` have none, because they are sent again with their entry.
             * @example 3.1.24
             */
            id?: string;
            data: {
                /** @enum {string} */
                status: "complete" | "partial" | "cancelled" | "failed" | "waiting";
                turn: string | null;
                answer: string | null;
                reason?: {
                    code: string;
                    message: string;
                    fix?: string;
                };
                waiting?: components["schemas"]["OpenCall"][];
            };
        };
        Turn: {
            thread: string;
            /** @description The id of the user entry of the turn; null while the message waits. */
            turn: string | null;
            /** @description The entry of a message that waits. */
            pending: string | null;
            /**
             * @description `queued`: the message waits for another turn. `waiting`: the turn waits for a decision about the calls in `waiting`.
             * @enum {string}
             */
            status: "queued" | "waiting" | "running" | "complete" | "partial" | "cancelled" | "failed";
            /** @description The entry of the answer. */
            answer: string | null;
            /** @description The text of the answer as people see it. Empty before there is an answer. */
            text: string;
            /** @description The value of the answer, if a form was asked for and the answer is JSON. */
            output?: unknown;
            /** @description Why the turn ended without an answer. */
            reason?: {
                code: string;
                message: string;
                fix?: string;
            };
            /** @description The calls that wait for a decision. */
            waiting?: components["schemas"]["OpenCall"][];
            window?: components["schemas"]["WindowShortfall"];
            /**
             * @description The position from which the stream of the turn can be followed. Pass it as `from`.
             * @example 3.0.0
             */
            position: string;
        };
        OpenCall: {
            /**
             * @description Names the call in a decision.
             * @example 9f2c4e719f2c4e719f2c4e719f2c4e719f2c4e719f2c4e719f2c4e719f2c4e71.0
             */
            id: string;
            call: components["schemas"]["Call"];
            /**
             * @description `approval`: the tool runs if it is allowed. `answer`: the client runs the tool, or a person answers, and sends the result.
             * @enum {string}
             */
            needs: "approval" | "answer";
            /**
             * @description When the call began to wait.
             * @example 2026-11-15T12:00:00.000Z
             */
            since?: string;
            /**
             * @description Milliseconds after which the call is refused if there is no decision.
             * @example 3600000
             */
            within?: number;
        };
        Call: {
            id?: string;
            /** @example weather */
            name: string;
            /** @description A JSON text or a value, as the model returned it. */
            arguments?: unknown;
            /** @description The arguments, parsed if they are a JSON text. Not set if that text is not JSON. */
            input?: unknown;
        };
        /** @description Present only if the thread asks for a larger window than its model has. */
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
             * @description The source of the number in `given`.
             * @example /api/ps
             */
            source: string;
            /** @description The problem in words, and what to do about it. */
            reason: string;
        };
        Entry: {
            /**
             * @description The id of an entry.
             * @example 9f2c4e…
             */
            id: string;
            parent: string | null;
            /** @description The place of the entry in the log, counted from 0 without gaps. Hidden entries are counted too. */
            seq: number;
            /** @enum {string} */
            kind: "system" | "user" | "assistant" | "tool" | "note" | "journal" | "pending" | "stop" | "settings" | "receipt" | "revocation" | "pin" | "feedback" | "retry" | "wait" | "decision" | "start" | "form" | "event";
            /**
             * @description Who wrote the entry. The server knows this from the channel, never from the text.
             * @enum {string}
             */
            origin: "operator" | "user" | "model" | "tool" | "import" | "minutebook";
            /** @enum {string} */
            status: "complete" | "partial" | "cancelled" | "failed" | "erased";
            text: string;
            calls: components["schemas"]["Call"][];
            /** @description How many images the entry has. `getImage` returns one of them. */
            images: number;
            /** @description Parts that are neither text nor images: documents, search results, files. Not set without any. */
            attachments?: components["schemas"]["Attachment"][];
            /** @description For a tool result: its value if the text is JSON, else the text. */
            output?: unknown;
            /** @description For a tool result: the call that it answers. */
            answers?: {
                id?: string;
                name?: string;
            };
            speaker?: string;
            time?: string;
            /** @description For a user entry: the id that its sender chose for the message. */
            sentId?: string;
            /**
             * @description Whether the entry is pinned: then every prompt has it. Not set on others.
             * @enum {boolean}
             */
            pinned?: true;
            /** @description What people think of the entry: of each the newest, of at most 50. Not set without any. */
            feedback?: components["schemas"]["KeptFeedback"][];
            siblings?: {
                id: string;
                head: string;
            }[];
            /** @description For a message: its number on the branch, counted from 0. Prompts quote it with this number, and people see it everywhere. Not set on other entries. */
            number?: number;
            /** @description For a user entry: the number of the turn that it began on the branch, counted from 1. */
            turn?: number;
            /** @description Heads of the branches that have another entry instead of this one, the newest first. If such a branch divides again, only its newest head is listed. */
            elsewhere?: string[];
            /** @description On a thread of the gateway: whether the entry was sent from the console, or answers such an entry. */
            console?: boolean;
        };
        Attachment: {
            /** @example document */
            type: string;
            /**
             * @description The media type of its data.
             * @example application/pdf
             */
            media?: string;
            /** @description What can be read of it. Empty if nothing can. */
            text: string;
        };
        KeptFeedback: {
            /**
             * @description The id of an entry.
             * @example 9f2c4e…
             */
            id: string;
            /**
             * @description The name of the key that wrote it. Empty on a server without keys.
             * @example ann
             */
            by: string;
            /** @enum {string} */
            rating?: "up" | "down";
            comment?: string;
            tags: string[];
            /** @description When it was written. */
            time?: string;
        };
        About: {
            name: string;
            /**
             * @description The name of the key. Empty on a server without keys.
             * @example ann
             */
            key: string;
            /** @description The tenant whose threads the key can read and write. */
            tenant: string;
            scope: string;
            /** @description Whether the key may decide about calls that need approval. */
            approves: boolean;
            /**
             * @description What the request was authorized by: a key, the token of the local operator, or nothing.
             * @enum {string}
             */
            shown: "key" | "token" | "nothing";
            /** @description Whether clients of the gateway need a key. */
            needsKey: boolean;
            /** @enum {string} */
            store: "sqlite" | "postgres";
            /** @description Whether the server can only read the record. */
            readOnly: boolean;
            /** @description Whether chats are recorded if the request does not say so. `always`: also responses with `store: false`. */
            record: boolean | "always";
            defaultModel: string | null;
            /** @description The states that can be read. */
            states: string[];
            /** @description Only for the operator of the installation. */
            upstreams?: ({
                url: string;
            } & {
                [key: string]: unknown;
            })[];
            /** @description The data folder of the server. Only for the operator of the installation. */
            data?: string;
        };
        Error: {
            error: {
                /**
                 * @description The code of the error, for programs.
                 * @example unknown_thread
                 */
                code: string;
                /** @description What is wrong. */
                message: string;
                /** @description What to do about it. */
                fix: string;
                /** @description If a definition was refused: everything that is wrong with it. */
                problems?: ({
                    field: string;
                    problem: string;
                    fix: string;
                } & {
                    [key: string]: unknown;
                })[];
                /** @description If a prompt was refused: the window that it was made for (`asked`), the smaller window of the model (`given`), the source of that number, and whether the model server can load the model with the larger window (`canLoad`). */
                window?: {
                    asked: number;
                    given: number;
                    source: string;
                    canLoad: boolean;
                };
                /** @description If a call was decided before: the first decision, by whom and when. */
                decided?: {
                    decision: {
                        /** @enum {string} */
                        do: "run" | "refuse" | "answer";
                    } & {
                        [key: string]: unknown;
                    };
                    /** @description The name that the caller gave. */
                    by?: string;
                    /** @description The login through which the decision came, and the name of its key. */
                    via?: {
                        channel: string;
                        key?: string;
                    };
                    time?: string;
                };
            };
        };
        ModelList: {
            models: {
                /** @example gemma3:4b */
                name: string;
            }[];
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
            /** @description Pass this value as `after` to get the next page. Absent on the last page. */
            next?: string;
        };
        ThreadSummary: {
            /** @example garden */
            thread: string;
            /**
             * @description The title in the metadata, or else the first words of the first question.
             * @example What grows in the shade?
             */
            title: string | null;
            /**
             * @description Texts that a program keeps about the thread, such as its owner: at most 16 pairs, with keys of at most 64 and values of at most 512 characters. `title` is the title of the thread.
             * @example {
             *       "owner": "ann",
             *       "title": "Garden"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /** @example gemma3:4b */
            model: string | null;
            /** @example 7 */
            entries: number;
            /**
             * @description When the first entry of the thread was written.
             * @example 2026-11-15T11:30:00.000Z
             */
            created: string | null;
            /**
             * @description When the newest entry of the thread was written.
             * @example 2026-11-15T12:00:00.000Z
             */
            written: string | null;
            /** @description What is worth knowing before you open the thread. */
            marks: ("truncated" | "overflow" | "failed" | "partial" | "console")[];
            /** @description Whether the thread is a single question that a client sent through the gateway, for example for a title. */
            oneOff: boolean;
            /** @description Whether a client sent the thread through the gateway. Such a client runs the tools itself. */
            relayed: boolean;
            /** @description The thread that this one was forked from. */
            fork?: string;
            /** @description Only for admins: the name of the key on whose behalf the newest model call was. */
            owner?: string;
        };
        ThreadCounts: {
            /** @description How many threads were looked at: the newest 500 at most. */
            looked: number;
            /** @description Whether these are all threads. */
            whole: boolean;
            /** @description How many of them are of each sort. */
            sorts: {
                runs: number;
                "one-offs": number;
                forks: number;
            };
            /** @description How many of them that are not hidden have each mark. */
            marks: {
                truncated: number;
                overflow: number;
                failed: number;
                partial: number;
                console: number;
            };
        };
        Thread: {
            /** @example garden */
            thread: string;
            /**
             * @description The title in the metadata, or else the first words of the first question.
             * @example What grows in the shade?
             */
            title: string | null;
            /**
             * @description Texts that a program keeps about the thread, such as its owner: at most 16 pairs, with keys of at most 64 and values of at most 512 characters. `title` is the title of the thread.
             * @example {
             *       "owner": "ann",
             *       "title": "Garden"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /** @example gemma3:4b */
            model: string | null;
            /** @example 7 */
            entries: number;
            /**
             * @description When the first entry of the thread was written.
             * @example 2026-11-15T11:30:00.000Z
             */
            created: string | null;
            /**
             * @description When the newest entry of the thread was written.
             * @example 2026-11-15T12:00:00.000Z
             */
            written: string | null;
            /** @description What is worth knowing before you open the thread. */
            marks: ("truncated" | "overflow" | "failed" | "partial" | "console")[];
            /** @description Whether the thread is a single question that a client sent through the gateway, for example for a title. */
            oneOff: boolean;
            /** @description Whether a client sent the thread through the gateway. Such a client runs the tools itself. */
            relayed: boolean;
            /** @description The thread that this one was forked from. */
            fork?: string;
            /** @description Only for admins: the name of the key on whose behalf the newest model call was. */
            owner?: string;
            head: string | null;
            setup?: {
                /**
                 * @description The model that answers. Default: the model in the settings of the server.
                 * @example gemma3:4b
                 */
                model?: string;
                /**
                 * @description The system text. Every prompt begins with it.
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
                 * @description The name of a policy, or the policy itself.
                 * @example default
                 */
                policy?: string | components["schemas"]["Policy"];
                /**
                 * @description The window in tokens. Default: the window of the model, which is also the maximum. If the setup asks for more, the field `window` of the thread and of its turns says so.
                 * @example 4096
                 */
                window?: number;
                /**
                 * @description Tokens that are kept free for the answer.
                 * @example 512
                 */
                reserve?: number;
                /**
                 * @description From 0, always the likeliest word, to 2. Default: that of the model.
                 * @example 0
                 */
                temperature?: number;
                /**
                 * @description With the same seed, many models answer the same prompt with the same text.
                 * @example 7
                 */
                seed?: number;
                /**
                 * @description The answer ends before the first of these texts.
                 * @example [
                 *       "END"
                 *     ]
                 */
                stop?: string[];
                /**
                 * @description The JSON Schema of the answer, which is then JSON. The field `output` of the turn has its value. The model may still call tools before it answers.
                 * @example {
                 *       "type": "object",
                 *       "properties": {
                 *         "plants": {
                 *           "type": "array"
                 *         }
                 *       },
                 *       "required": [
                 *         "plants"
                 *       ]
                 *     }
                 */
                output?: {
                    [key: string]: unknown;
                };
            };
            window?: components["schemas"]["WindowShortfall"];
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
             * @description For the preset `default`: when older entries are brought back.
             * @enum {string}
             */
            recall?: "off" | "gated" | "eager";
            epochs?: boolean;
            /** @description For the preset `lastMessages`: how many messages are sent. */
            messages?: number;
            /** @description For the preset `tiered`: how many exchanges are sent verbatim. */
            verbatim?: number;
            /** @description For the preset `tiered`: the most tokens of a digest. Default: 64. */
            line?: number;
            /** @description For the preset `tiered`: how much of the room digests may take if whole exchanges need it. Default: 0.25. */
            share?: number;
            /** @enum {string} */
            overflow?: "error" | "keep";
            /** @description Whether the model is asked for notes to self. */
            notes?: boolean;
            journal?: boolean;
            /**
             * @description The role of notes in prompts. Default: `system`. The journal always has the role `user`.
             * @enum {string}
             */
            notesRole?: "system" | "user";
            /** @description Other shares for the tiers of the preset. */
            shares?: {
                outline?: number;
                recall?: number;
                notes?: number;
                pins?: number;
            };
            /** @description Templates that put JSON answers and tool results of older exchanges into a line. */
            digesters?: {
                /**
                 * @description A name and a version.
                 * @example lamp@1
                 */
                id: string;
                /** @description Only for results of this tool. */
                tool?: string;
                /** @description The most tokens of a line with this digest while there is room. */
                line?: number;
                /** @description Only for values that have exactly this at these paths. */
                when?: {
                    [key: string]: string | number | boolean | null;
                };
                /**
                 * @description A text with paths into the JSON value in braces.
                 * @example {name}: {steps[*].color}
                 */
                template: string;
                /** @description The template for each item of a list, by the path of the list. */
                each?: {
                    [key: string]: string;
                };
                /** @description What comes between the items of a list. Default: `, `. */
                join?: string;
            }[];
        };
        /**
         * @example {
         *       "thread": "garden",
         *       "setup": {
         *         "system": "You help with a garden."
         *       },
         *       "metadata": {
         *         "owner": "ann",
         *         "title": "Garden"
         *       }
         *     }
         */
        NewThread: {
            /**
             * @description The name of the thread. Default: a generated name.
             * @example garden
             */
            thread?: string;
            setup?: {
                /**
                 * @description The model that answers. Default: the model in the settings of the server.
                 * @example gemma3:4b
                 */
                model?: string;
                /**
                 * @description The system text. Every prompt begins with it.
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
                 * @description The name of a policy, or the policy itself.
                 * @example default
                 */
                policy?: string | components["schemas"]["Policy"];
                /**
                 * @description The window in tokens. Default: the window of the model, which is also the maximum. If the setup asks for more, the field `window` of the thread and of its turns says so.
                 * @example 4096
                 */
                window?: number;
                /**
                 * @description Tokens that are kept free for the answer.
                 * @example 512
                 */
                reserve?: number;
                /**
                 * @description From 0, always the likeliest word, to 2. Default: that of the model.
                 * @example 0
                 */
                temperature?: number;
                /**
                 * @description With the same seed, many models answer the same prompt with the same text.
                 * @example 7
                 */
                seed?: number;
                /**
                 * @description The answer ends before the first of these texts.
                 * @example [
                 *       "END"
                 *     ]
                 */
                stop?: string[];
                /**
                 * @description The JSON Schema of the answer, which is then JSON. The field `output` of the turn has its value. The model may still call tools before it answers.
                 * @example {
                 *       "type": "object",
                 *       "properties": {
                 *         "plants": {
                 *           "type": "array"
                 *         }
                 *       },
                 *       "required": [
                 *         "plants"
                 *       ]
                 *     }
                 */
                output?: {
                    [key: string]: unknown;
                };
            };
            /**
             * @description Texts that a program keeps about the thread, such as its owner: at most 16 pairs, with keys of at most 64 and values of at most 512 characters. `title` is the title of the thread.
             * @example {
             *       "owner": "ann",
             *       "title": "Garden"
             *     }
             */
            metadata?: {
                [key: string]: string;
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
             * @description The model that answers. Default: the model in the settings of the server.
             * @example gemma3:4b
             */
            model?: string;
            /**
             * @description The system text. Every prompt begins with it.
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
             * @description The name of a policy, or the policy itself.
             * @example default
             */
            policy?: string | components["schemas"]["Policy"];
            /**
             * @description The window in tokens. Default: the window of the model, which is also the maximum. If the setup asks for more, the field `window` of the thread and of its turns says so.
             * @example 4096
             */
            window?: number;
            /**
             * @description Tokens that are kept free for the answer.
             * @example 512
             */
            reserve?: number;
            /**
             * @description From 0, always the likeliest word, to 2. Default: that of the model.
             * @example 0
             */
            temperature?: number;
            /**
             * @description With the same seed, many models answer the same prompt with the same text.
             * @example 7
             */
            seed?: number;
            /**
             * @description The answer ends before the first of these texts.
             * @example [
             *       "END"
             *     ]
             */
            stop?: string[];
            /**
             * @description The JSON Schema of the answer, which is then JSON. The field `output` of the turn has its value. The model may still call tools before it answers.
             * @example {
             *       "type": "object",
             *       "properties": {
             *         "plants": {
             *           "type": "array"
             *         }
             *       },
             *       "required": [
             *         "plants"
             *       ]
             *     }
             */
            output?: {
                [key: string]: unknown;
            };
        };
        /**
         * @description Pairs to set. Null removes a pair.
         * @example {
         *       "title": "Garden",
         *       "draft": null
         *     }
         */
        MetadataChanges: {
            [key: string]: string | null;
        };
        Removal: {
            thread: string;
            /** @description How many entries were removed. */
            entries: number;
            snapshots: number;
            records: number;
            images: number;
            /** @description What remains, and how to remove it. */
            remains: string[];
        };
        PinChange: {
            thread: string;
            entry: string;
            pinned: boolean;
            /** @description False if it was so before. */
            changed: boolean;
        };
        Entries: {
            thread: string;
            /** @description The newest entry of the branch; empty if nothing was said yet. */
            head: string;
            /** @description All branches, the newest first. */
            branches: components["schemas"]["Branch"][];
            entries: components["schemas"]["Entry"][];
            /** @description How many entries of the branch are left out. */
            hidden: number;
        };
        Branch: {
            /** @description The last entry of the branch. */
            head: string;
            /** @description The last entry that it has in common with the newest branch. Null for the newest branch, and if they share none. */
            from: string | null;
            /** @description When its last entry was written. */
            time?: string;
            /** @description The first words of what only this branch has. */
            text: string;
        };
        FeedbackChange: {
            thread: string;
            entry: string;
            /**
             * @description The name of the key that wrote it. Empty on a server without keys.
             * @example ann
             */
            by: string;
            /** @enum {string} */
            rating?: "up" | "down";
            comment?: string;
            tags: string[];
            /** @description False if it was so before. */
            changed: boolean;
        };
        /**
         * @example {
         *       "rating": "down",
         *       "comment": "Ferns want water.",
         *       "tags": [
         *         "facts"
         *       ]
         *     }
         */
        Feedback: {
            /** @enum {string} */
            rating?: "up" | "down";
            /** @example Ferns want water. */
            comment?: string;
            /**
             * @description Letters, digits, ".", "_" and "-". Kept in small letters.
             * @example [
             *       "facts"
             *     ]
             */
            tags?: string[];
        };
        FeedbackList: {
            /** @description Messages with the feedback of one person each, what was written last first. */
            found: {
                thread: string;
                /**
                 * @description The id of an entry.
                 * @example 9f2c4e…
                 */
                id: string;
                seq: number;
                /** @enum {string} */
                kind: "user" | "assistant" | "tool";
                /** @description The first 1,000 characters of the message. */
                text: string;
                feedback: components["schemas"]["KeptFeedback"];
            }[];
            /** @description Pass this value as `after` to get the next page. A page may be short although it has one. */
            next?: string;
        };
        /**
         * @example {
         *       "message": "What grows in the shade?",
         *       "id": "d4f1"
         *     }
         */
        NewTurn: {
            /** @description A text, or a list of parts, which are texts and images. */
            message: string | components["schemas"]["MessagePart"][];
            /**
             * @description Your own id for the message. If you send the message again with the same id, it is not repeated.
             * @example d4f1
             */
            id?: string;
            /** @description The entry to continue from. Default: the newest. Any other entry starts a branch, for example for an edited message. Null: start from the beginning. */
            after?: string | null;
            /**
             * @description What to do if a turn is running. `reject` (default): refuse the message with 409. `queue`: let the message wait. `interrupt`: end the running turn.
             * @enum {string}
             */
            ifBusy?: "reject" | "queue" | "interrupt";
            /**
             * @description The model that answers from now on.
             * @example gemma3:4b
             */
            model?: string;
            /** @description The name of the policy that fits prompts into the window from now on. */
            policy?: string;
            /** @description The name of the person who speaks, if several people use the thread. */
            speaker?: string;
            /**
             * @description Any JSON, at most 16,384 characters. The tools of this turn get it: who asks, for example. It is recorded with the message. No prompt has it.
             * @example {
             *       "user": "ann"
             *     }
             */
            context?: unknown;
            /**
             * @description From 0, always the likeliest word, to 2. Default: that of the model.
             * @example 0
             */
            temperature?: number;
            /**
             * @description With the same seed, many models answer the same prompt with the same text.
             * @example 7
             */
            seed?: number;
            /**
             * @description The answer ends before the first of these texts.
             * @example [
             *       "END"
             *     ]
             */
            stop?: string[];
            /**
             * @description The JSON Schema of the answer, which is then JSON. The field `output` of the turn has its value. The model may still call tools before it answers.
             * @example {
             *       "type": "object",
             *       "properties": {
             *         "plants": {
             *           "type": "array"
             *         }
             *       },
             *       "required": [
             *         "plants"
             *       ]
             *     }
             */
            output?: {
                [key: string]: unknown;
            };
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
        CallList: {
            calls: {
                /**
                 * @description Names the call in a decision.
                 * @example 9f2c4e719f2c4e719f2c4e719f2c4e719f2c4e719f2c4e719f2c4e719f2c4e71.0
                 */
                id: string;
                call: components["schemas"]["Call"];
                /**
                 * @description `approval`: the tool runs if it is allowed. `answer`: the client runs the tool, or a person answers, and sends the result.
                 * @enum {string}
                 */
                needs: "approval" | "answer";
                /**
                 * @description When the call began to wait.
                 * @example 2026-11-15T12:00:00.000Z
                 */
                since?: string;
                /**
                 * @description Milliseconds after which the call is refused if there is no decision.
                 * @example 3600000
                 */
                within?: number;
                /** @example garden */
                thread: string;
            }[];
            /** @description Pass this value as `after` to get the next page. Absent on the last page. */
            next?: string;
        };
        OpenCalls: {
            calls: components["schemas"]["OpenCall"][];
        };
        /**
         * @example {
         *       "call": "9f2c4e719f2c4e719f2c4e719f2c4e719f2c4e719f2c4e719f2c4e719f2c4e71.0",
         *       "decision": {
         *         "do": "run"
         *       },
         *       "by": "ann"
         *     }
         */
        NewDecision: {
            /** @description The `id` of a call that waits. */
            call: string;
            /** @description `run` or `refuse` a call that needs approval, `answer` or `refuse` one that needs an answer. */
            decision: {
                /** @enum {string} */
                do: "run";
                /** @description Other arguments. Default: those of the model. */
                input?: unknown;
            } | {
                /** @enum {string} */
                do: "refuse";
                /** @description The model is told the reason. */
                reason?: string;
            } | {
                /** @enum {string} */
                do: "answer";
                /** @description The result: a text, or a value that the model gets as JSON. */
                output?: unknown;
            };
            /** @description The name of the person who decides, as you know it. It is recorded as a claim: who decided is proven only by the key or session of the request, which is recorded, too. */
            by?: string;
        };
        /**
         * @example {
         *       "message": "What grows in the shade?"
         *     }
         */
        RelayTurn: {
            /** @description The message of the user. */
            message?: string;
            /** @description The results of the tool calls at the end of the branch, in the order of the calls. */
            results?: {
                id?: string;
                name?: string;
                text: string;
            }[];
            /** @description The id of a user entry that is to be answered again. */
            again?: string;
            /** @description The entry to continue from. Default: the newest. Null: from the beginning. */
            after?: string | null;
            /** @description Your own id for the message. If you send the message again with the same id, it is not repeated. */
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
            /** @description The messages, in the form of the protocol that the recorded call used. */
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
             * @description The window that the prompt was made for, in tokens.
             * @example 4096
             */
            window: number;
            /** @description If the model has a smaller window: have an Ollama server load it with this one. Default: the prompt is refused with `window_too_small`. */
            load?: boolean;
        };
        Receipts: {
            receipts: components["schemas"]["Receipt"][];
        };
        Receipt: {
            /** @description The id of the entry that contains the receipt. */
            id: string;
            seq: number;
            version: number;
            /** @description The entry that the prompt ends with. */
            head: string;
            /** @description SHA-256 of the canonical JSON of the request’s messages and tools. */
            hash: string;
            tokens: {
                /** @description The tokens that were sent, as Minutebook counts them. */
                predicted: number;
                reused: number;
                reported: {
                    /** @description The tokens that the model server says it read. */
                    prompt?: number;
                    /** @description The tokens of the answer. */
                    completion?: number;
                    /** @description The tokens of the prompt that were in its cache. */
                    cached?: number;
                    /** @description What the model server wrote to its cache. Only servers that cache what a client marks say so. */
                    written?: number;
                    /** @description How long the model server read the prompt. */
                    seconds?: number;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
            /** @description How long the call took. */
            time?: {
                /** @description When the model was called (ISO 8601). */
                started: string;
                /** @description Milliseconds until the first text. Absent if none came before the end. */
                firstToken?: number;
                /** @description Milliseconds until the end. */
                total: number;
            };
            epoch: number;
            /** @description How many entries had each verdict. */
            verdicts: {
                [key: string]: number;
            };
            /** @description What happened to the question and to the other entries of its turn. Present only if some of them were not sent whole. */
            turn?: {
                question: string;
                verdicts: {
                    [key: string]: number;
                };
            };
            /** @description The requested window, and the window of the model. Present only if that one is smaller. */
            window?: {
                asked: number;
                given: number;
                source: string;
            };
            /** @description What was asked of the answer. Absent if nothing was. Of the schema there is the SHA-256 of its canonical JSON, and whether it was sent: not if the model could still call tools. */
            options?: {
                temperature?: number;
                seed?: number;
                stop?: string[];
                output?: {
                    hash: string;
                    sent: boolean;
                };
            };
            /** @description The options of the request that change how a model server reads a prompt. */
            promptOptions?: {
                [key: string]: string;
            };
            /**
             * @description What the same model server answered between the previous call of the thread and this one: a side request of the same client, or another thread.
             * @enum {string}
             */
            between?: "title" | "thread";
            /** @description How the call ended. `refused`: the upstream has a smaller window, and the question was sent again in a prompt that fits. `unfit`: the answer did not have the form that was asked for, and the question was sent again with the schema. */
            outcome: string;
            /** @description For a refused call: the window that the upstream named, and the tokens that it counted in the prompt. */
            told?: {
                window?: number;
                prompt?: number;
            } & {
                [key: string]: unknown;
            };
            /** @description The source of the window. `assumed`: there was no source. */
            windowSource?: string;
            /**
             * @description Whether the model server left out a part of the prompt, as its own counts of this and earlier calls show. `unknown`: its counts do not show it.
             * @enum {string}
             */
            truncated?: "yes" | "no" | "unknown";
        } & {
            [key: string]: unknown;
        };
        Dump: {
            thread: string;
            /** @description The number of the turn on the newest branch; null if the call is on another branch. */
            turn: number | null;
            /**
             * @description The name of the call: `3` is the third turn, `3.2` its second call if there are several. A call of a turn on another branch has the beginning of the id of its receipt.
             * @example 3.2
             */
            call: string;
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
            /** @description The same for people, with invisible characters escaped. */
            text: string;
            hash: string;
            /** @description Whether the prompt has the hash of the one that was sent. */
            same: boolean;
            /** @description Whether something that the prompt contained, or may have contained, was erased later. */
            erased: boolean;
        };
        Explanation: {
            thread: string;
            /** @description The number of the turn on the newest branch; null if the call is on another branch. */
            turn: number | null;
            /**
             * @description The name of the call: `3` is the third turn, `3.2` its second call if there are several. A call of a turn on another branch has the beginning of the id of its receipt.
             * @example 3.2
             */
            call: string;
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
                    /** @description The numbers of its first and of its last message. Not set if the range has only notes. */
                    numbers?: number[];
                } & {
                    [key: string]: unknown;
                })[];
            } & {
                [key: string]: unknown;
            };
            /** @description What the call cost, by the prices in the settings. Null if they do not name the model, or if the model server reported no tokens. */
            cost: {
                amount: number;
                currency: string;
            } | null;
            cache: components["schemas"]["CacheUsage"];
            same: boolean;
            /** @description Whether something that the prompt contained, or may have contained, was erased later. */
            erased: boolean;
        };
        /** @description Null if the previous prompt cannot be derived. */
        CacheUsage: {
            /** @description The tokens of the whole prompt: as the model server reported them, or else as they were predicted. All other counts are in the same tokens. */
            total: number;
            /** @description The whole previous prompt. 0 if there was none. */
            previous: number;
            /** @description How much of the previous prompt need not be read again: what the model server says that it had, or else what both prompts begin with. */
            kept: number;
            /** @description What the model server had to read again, although the previous prompt had it. `kept` and `lost` together are never more than `total`, nor more than `previous`. */
            lost: number;
            /** @description How long that took, if the model server says how long it read. */
            seconds?: number;
            /** @description The first difference to the previous prompt. Absent if this prompt only adds to it. */
            difference?: {
                /**
                 * @description The field that differs.
                 * @example messages[0].content
                 */
                place: string;
                /** @description The index of the message that it is in. */
                message?: number;
                /** @description How many bytes are equal before it, in the canonical JSON of the tools and then of the messages. */
                byte: number;
            };
            /**
             * @description Absent if nothing was lost.
             * @enum {string}
             */
            cause?: "system" | "tool_order" | "tool_text" | "tool_set" | "client_compaction" | "own_compaction" | "title" | "thread" | "model" | "option" | "image" | "edit" | "server";
            /** @description The cause in words. */
            why?: string;
            /** @description What the model server says that it took from its cache. */
            cached?: number;
            /**
             * @description What the model server answered since the previous prompt.
             * @enum {string}
             */
            between?: "title" | "thread";
        } | null;
        CacheUsages: {
            calls: {
                receipt: string;
                /**
                 * @description The name of the call: `3` is the third turn, `3.2` its second call if there are several. A call of a turn on another branch has the beginning of the id of its receipt.
                 * @example 3.2
                 */
                call: string;
                model: string | null;
                /** @description The tokens of the whole prompt: as the model server reported them, or else as they were predicted. All other counts are in the same tokens. */
                total: number;
                /** @description The whole previous prompt. 0 if there was none. */
                previous: number;
                /** @description How much of the previous prompt need not be read again: what the model server says that it had, or else what both prompts begin with. */
                kept: number;
                /** @description What the model server had to read again, although the previous prompt had it. `kept` and `lost` together are never more than `total`, nor more than `previous`. */
                lost: number;
                /** @description How long that took, if the model server says how long it read. */
                seconds?: number;
                /** @description The first difference to the previous prompt. Absent if this prompt only adds to it. */
                difference?: {
                    /**
                     * @description The field that differs.
                     * @example messages[0].content
                     */
                    place: string;
                    /** @description The index of the message that it is in. */
                    message?: number;
                    /** @description How many bytes are equal before it, in the canonical JSON of the tools and then of the messages. */
                    byte: number;
                };
                /**
                 * @description Absent if nothing was lost.
                 * @enum {string}
                 */
                cause?: "system" | "tool_order" | "tool_text" | "tool_set" | "client_compaction" | "own_compaction" | "title" | "thread" | "model" | "option" | "image" | "edit" | "server";
                /** @description The cause in words. */
                why?: string;
                /** @description What the model server says that it took from its cache. */
                cached?: number;
                /**
                 * @description What the model server answered since the previous prompt.
                 * @enum {string}
                 */
                between?: "title" | "thread";
            }[];
        };
        Verification: {
            thread: string;
            /** @description Whether there are no problems. */
            ok: boolean;
            entries: number;
            /** @description How many derived prompts equal the prompts that were sent. */
            prompts: number;
            /** @description How many model calls have a prompt that cannot be derived, because something in it was erased or because its counter is not available. */
            underivable: number;
            /** @description How many prompts were left out, because they need entries from before the part that is checked. Not set if there are none. */
            unchecked?: number;
            problems: {
                seq: number;
                problem: string;
                /**
                 * @description `entry`: the store does not contain what was written; restore the entry. `prompt`: the entries are intact, but a derived prompt differs from the one that was sent. That is a bug in Minutebook.
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
                /** @description Whether the new prompt equals the prompt that was sent. */
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
            /** @description Null if the thread has no suitable result. */
            value?: unknown;
        };
        Found: {
            /** @description The matching entries, the newest first. Feedback has the entry that it is about, and its writer. */
            found: {
                thread: string;
                /** @description The title of the thread, as in the list of threads. */
                title: string | null;
                id: string;
                seq: number;
                text: string;
                about?: string;
                by?: string;
                /** @enum {string} */
                kind: "system" | "user" | "assistant" | "tool" | "note" | "journal" | "pending" | "stop" | "settings" | "receipt" | "revocation" | "pin" | "feedback" | "retry" | "wait" | "decision" | "start" | "form" | "event";
                speaker?: string;
                time?: string;
                /** @description For a message: its number on the branch, counted from 0. Prompts quote it with this number, and people see it everywhere. Not set on other entries. */
                number?: number;
                /** @description The number of its turn on the branch, counted from 1. Like `number`, it is not set if about 2,000 entries of the branch come before it. */
                turn?: number;
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
            /** @description The last entry to copy. Default: the newest. */
            at?: string;
        };
        Erasure: {
            thread: string;
            /** @description The entries that this request replaced by tombstones. */
            erased: string[];
            snapshots: number;
            records: number;
            /** @description How many images were removed, because no other entry has them. */
            images: number;
            /** @description What remains: hashes, and places where bytes may remain, with how to remove them. */
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
             * @description The title in the metadata, or else the first words of the first question.
             * @example What grows in the shade?
             */
            title: string | null;
            /**
             * @description Texts that a program keeps about the thread, such as its owner: at most 16 pairs, with keys of at most 64 and values of at most 512 characters. `title` is the title of the thread.
             * @example {
             *       "owner": "ann",
             *       "title": "Garden"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /** @example gemma3:4b */
            model: string | null;
            /** @example 7 */
            entries: number;
            /**
             * @description When the first entry of the thread was written.
             * @example 2026-11-15T11:30:00.000Z
             */
            created: string | null;
            /**
             * @description When the newest entry of the thread was written.
             * @example 2026-11-15T12:00:00.000Z
             */
            written: string | null;
            /** @description What is worth knowing before you open the thread. */
            marks: ("truncated" | "overflow" | "failed" | "partial" | "console")[];
            /** @description Whether the thread is a single question that a client sent through the gateway, for example for a title. */
            oneOff: boolean;
            /** @description Whether a client sent the thread through the gateway. Such a client runs the tools itself. */
            relayed: boolean;
            /** @description The thread that this one was forked from. */
            fork?: string;
            /** @description Only for admins: the name of the key on whose behalf the newest model call was. */
            owner?: string;
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
                /** @description The number of the turn of the call on the branch, counted from 1. */
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
            /**
             * @description The name of the call: `3` is the third turn, `3.2` its second call if there are several. A call of a turn on another branch has the beginning of the id of its receipt.
             * @example 3.2
             */
            call: string;
            model: string | null;
            receipt: components["schemas"]["Receipt"];
            window: number;
            reserve: number;
            /** @description The tokens of the whole prompt, as the counter counts them. */
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
                /** @description For a message: its number on the branch, counted from 0. Prompts quote it with this number, and people see it everywhere. Not set on other entries. */
                number?: number;
                /** @enum {string} */
                kind: "system" | "user" | "assistant" | "tool" | "note" | "journal" | "pending" | "stop" | "settings" | "receipt" | "revocation" | "pin" | "feedback" | "retry" | "wait" | "decision" | "start" | "form" | "event";
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
            /** @description How many messages at the beginning are the same as in the previous prompt, byte for byte. */
            reused: number;
            /** @description What the call cost, by the prices in the settings. Null if they do not name the model, or if the model server reported no tokens. */
            cost: {
                amount: number;
                currency: string;
            } | null;
            cache: components["schemas"]["CacheUsage"];
            hash: string;
            /** @description Whether the prompt has the hash of the one that was sent. */
            same: boolean;
            /** @description Whether something that the prompt contained, or may have contained, was erased later. */
            erased: boolean;
            /** @description How many entries, messages and tools are left out, because the key may not see them. */
            hidden: {
                entries: number;
                messages: number;
                tools: number;
            };
            /** @description Only for admins: exactly what was sent, and the settings of the call. */
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
        Lane: {
            thread: string;
            /**
             * @description The id of an entry.
             * @example 9f2c4e…
             */
            entry: string;
            /** @enum {string} */
            kind: "system" | "user" | "assistant" | "tool" | "note" | "journal" | "pending" | "stop" | "settings" | "receipt" | "revocation" | "pin" | "feedback" | "retry" | "wait" | "decision" | "start" | "form" | "event";
            /** @description For a message: its number on the branch, counted from 0. Prompts quote it with this number, and people see it everywhere. Not set on other entries. */
            number?: number;
            /** @description The number of the turn of the entry, counted from 1. 0 before the first turn. */
            turn: number;
            pinned: boolean;
            /** @description The last entry of the branch. */
            head: string;
            /** @description The calls after the entry, oldest first. */
            calls: {
                receipt: string;
                turn: number;
                /**
                 * @description Null if the prompt cannot be derived.
                 * @enum {string|null}
                 */
                verdict: "verbatim" | "clipped" | "recalled" | "digested" | "outlined" | "omitted" | "hidden" | null;
                reason: string;
                /** @description What was sent of the entry. */
                tokens: number;
                /** @description Whether the derived prompt has the hash of the one that was sent. */
                same: boolean;
                /** @description The turn since which no prompt had the entry. Only if this one did not have it either. */
                since?: number;
                /** @description What recall looked for: the words of the question, those of them that the entry has, and how many other entries were recalled. */
                recall?: {
                    words: string[];
                    shared: string[];
                    entries: number;
                    tokens: number;
                };
            }[];
            /** @description How many calls before these are left out. */
            earlier: number;
            /** @description A call that did not have the entry, and what would have kept it. */
            without: {
                receipt: string;
                turn: number;
                restorations: {
                    /** @enum {string} */
                    by: "pin" | "policy" | "window" | "system";
                    /** @description How many tokens more the prompt has with it. */
                    tokens: number;
                    /** @enum {string} */
                    verdict: "verbatim" | "clipped" | "recalled" | "digested" | "outlined" | "omitted" | "hidden";
                    changes?: {
                        window?: number;
                        outline?: number;
                        recall?: number;
                        /** @enum {string} */
                        preset?: "firstAndRecent";
                    };
                    /**
                     * @description If all pinned messages together would need more than their share, so that some are clipped.
                     * @enum {boolean}
                     */
                    exceeds?: true;
                }[];
            } | null;
        };
        Counts: {
            /** @description Null for the estimator, which every client has. */
            counter: {
                name: string;
                overhead: number | ({
                    message: number;
                } & {
                    [key: string]: unknown;
                });
            } | null;
            /** @description The tokens of each text, by the first 16 hexadecimal digits of the SHA-256 of the text. */
            counts: {
                [key: string]: number;
            };
        };
        Overview: {
            from: string;
            to: string;
            /** @description In hours. */
            step: number;
            totals: components["schemas"]["Figures"];
            series: {
                from: string;
                figures: components["schemas"]["Figures"];
            }[];
            models: {
                /** @description Null: all others, and names that the key may not see. */
                name: string | null;
                calls: number;
            }[];
            keys: {
                /** @description Null: all others, and names that the key may not see. */
                name: string | null;
                calls: number;
            }[];
            /** @description Threads that need a look, the worst first. */
            problems: {
                thread: string;
                title: string | null;
                model: string | null;
                reasons: {
                    /**
                     * @description `cut`: the model server cut the prompt; `overflow`: nothing fitted the window; `failed`: the call failed; `question`: the question was not sent whole; `turn`: a part of its turn was not sent whole; `partial`: the answer was cut off.
                     * @enum {string}
                     */
                    reason: "cut" | "overflow" | "failed" | "question" | "turn" | "partial";
                    /** @description In how many of `calls`. 0 if that is longer ago. */
                    calls: number;
                    /** @description The newest such call. Null if no prompt was made. */
                    receipt: string | null;
                }[];
                /** @description The newest calls of the thread, at most 24, the oldest first. */
                calls: {
                    receipt: string;
                    sent: number;
                    reused: number;
                    read: number | null;
                    window: number | null;
                    problems: ("cut" | "overflow" | "failed" | "question" | "turn" | "partial")[];
                }[];
            }[];
            threads: {
                /** @description How many threads have problems. */
                count: number;
                /** @description False if only the newest problems were looked at. */
                all: boolean;
            };
        };
        Figures: {
            /** @description Model calls. */
            calls: number;
            /** @description Calls that failed. */
            failed: number;
            /** @description Calls that the client stopped. */
            cancelled: number;
            /** @description Calls that were made again: the server has a smaller window, or the answer did not have the form. */
            resent: number;
            /** @description Questions that reached no model, because nothing fitted the window. */
            unsent: number;
            /** @description Calls whose prompt the model server cut. */
            cutCalls: number;
            /** @description Calls without a word of some messages. */
            omittedCalls: number;
            /** @description Calls with clipped messages. */
            clippedCalls: number;
            /** @description Calls that did not have their whole question. */
            clippedQuestions: number;
            /** @description Tokens of prompts, as Minutebook counts them. */
            sentTokens: number;
            /** @description How many of them were the beginning of the previous prompt. */
            reusedTokens: number;
            /** @description Tokens of prompts that model servers say they read. */
            readTokens: number;
            /** @description Tokens of prompts that they had in their cache. */
            cachedTokens: number;
            /** @description Tokens of cut prompts that they did not read. */
            cutTokens: number;
            /** @description Tokens of answers. */
            answerTokens: number;
            /** @description Entries with this verdict. */
            verbatim: number;
            /** @description Entries with this verdict. */
            clipped: number;
            /** @description Entries with this verdict. */
            recalled: number;
            /** @description Entries with this verdict. */
            digested: number;
            /** @description Entries with this verdict. */
            outlined: number;
            /** @description Entries with this verdict. */
            omitted: number;
        };
        ListedCalls: {
            calls: {
                thread: string;
                title: string | null;
                receipt: string;
                /** @description When the call ended. */
                ended: string;
                /** @description Milliseconds until the first text. */
                firstToken?: number;
                /** @description Milliseconds until the end. */
                total: number;
                /** @description The number of the turn on its branch, counted from 1. */
                turn: number | null;
                model: string | null;
                /** @description Only for admins: the name of the key that sent the request. Empty without one. */
                owner?: string;
                /**
                 * @description How the call ended, as the receipt says it.
                 * @enum {string}
                 */
                outcome: "stop" | "calls" | "length" | "filter" | "unknown" | "cancelled" | "failed" | "refused" | "unfit";
                /** @description The tokens of the prompt, as predicted. */
                sent: number;
                /** @description How many of them are the beginning of the previous prompt. */
                reused: number;
                /** @description The tokens that the model server says it read. */
                read?: number;
                /** @description The tokens of the answer. */
                answer?: number;
                /** @description How many entries were left out of the prompt. */
                omitted: number;
                /** @description How many entries were shortened. */
                clipped: number;
                /** @description Whether the model server cut the prompt. */
                cut: boolean;
            }[];
            /** @description Pass this value as `after` to get the next page. With a filter, a page may be short although there is a `next`: at most 5,000 calls are looked at for one page. */
            next?: string;
            /** @description When the oldest call that was looked at ended. */
            from?: string;
        };
        CallCounts: {
            /** @description How many calls were looked at: the newest 1,000 at most. */
            looked: number;
            /** @description Whether these are all calls of the range of time. */
            whole: boolean;
            outcome: {
                value: string;
                count: number;
            }[];
            model: {
                value: string;
                count: number;
            }[];
            /** @description Only for admins. */
            owner?: {
                value: string;
                count: number;
            }[];
            flag: {
                value: string;
                count: number;
            }[];
        };
        CheckedExperiment: {
            /** @description If the list is empty, the experiment can be run. */
            problems: components["schemas"]["ExperimentProblem"][];
        };
        ExperimentProblem: {
            /** @description The line, counted from 1. Present only if the definition was sent as a text. */
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
            /** @description The experiment, as data or as a text of YAML. */
            definition: string | {
                [key: string]: unknown;
            };
        };
        RunList: {
            runs: components["schemas"]["RunSummary"][];
            /** @description Pass this value as `after` to get the next page. Absent on the last page. */
            next?: string;
        };
        RunSummary: {
            /** @example stand-k3v9x2 */
            run: string;
            /**
             * @description The name of the experiment.
             * @example lemonade stand
             */
            name: string;
            seed: number;
            /** @enum {string} */
            status: "running" | "waiting" | "paused" | "stopping" | "success" | "failure" | "limit" | "stopped" | "error";
            /** @description Why the run is over: the goal or the limit that it reached. */
            reason?: string;
            /** @description The participants that are persons and were asked. Each has a call that waits in its thread. The status is `waiting` if no other participant plays. */
            waiting: string[];
            began?: string;
            /** @description When the run last changed. */
            changed?: string;
            /** @description The run whose recorded answers are used instead of asking models. */
            answers?: string;
            /** @description The run that this run was forked from. Both have the same rounds before `round`. */
            forked?: {
                run: string;
                round: number;
            };
            spending: components["schemas"]["Spending"];
            /** @description How many rounds the run may have. */
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
            /** @description The experiment, as data or as a text of YAML. */
            definition: string | {
                [key: string]: unknown;
            };
            /**
             * @description The name of the run. Default: a generated name.
             * @example stand-k3v9x2
             */
            run?: string;
            /** @description The seed of hooks, tools, and models without a seed of their own. Default: that of the run in `answers`, else the seed in the definition. */
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
                /** @example participants.ann.model.temperature */
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
                     * @description Whether both turns ended in the same way, with the same words.
                     * @enum {string}
                     */
                    answers: "same" | "other";
                    /**
                     * @description Whether both turns called the same tools, with the same arguments and the same outcome.
                     * @enum {string}
                     */
                    calls: "same" | "other";
                    /** @description The turn in this run. Absent if the participant did not play. */
                    left?: {
                        /** @enum {string} */
                        status: "playing" | "asked" | "complete" | "partial" | "cancelled" | "failed";
                        text: string;
                        calls: {
                            tool: string;
                            input: {
                                [key: string]: unknown;
                            };
                            /** @enum {string} */
                            status: "done" | "refused" | "failed" | "interrupted";
                        }[];
                        /** @description The receipt of the first model call whose prompt differs, in the thread of the participant. */
                        receipt?: string;
                    };
                    /** @description The turn in this run. Absent if the participant did not play. */
                    right?: {
                        /** @enum {string} */
                        status: "playing" | "asked" | "complete" | "partial" | "cancelled" | "failed";
                        text: string;
                        calls: {
                            tool: string;
                            input: {
                                [key: string]: unknown;
                            };
                            /** @enum {string} */
                            status: "done" | "refused" | "failed" | "interrupted";
                        }[];
                        /** @description The receipt of the first model call whose prompt differs, in the thread of the participant. */
                        receipt?: string;
                    };
                }[];
            }[];
        };
        RunOutcomes: {
            runs: {
                run: string;
                /** @description The name of the experiment. */
                name: string;
                seed: number;
                /** @enum {string} */
                status: "running" | "waiting" | "paused" | "stopping" | "success" | "failure" | "limit" | "stopped" | "error";
                reason?: string;
                /** @description The current or last round; 0 before the first. */
                round: number;
                /** @description The models of the participants, each once. */
                models: string[];
                spending: components["schemas"]["Spending"];
                /** @description How many turns models played. */
                turns: number;
                /** @description In how many of them the question was not sent whole. */
                clipped: number;
                /** @description In how many of them something else was left out, or sent only in part or in brief. */
                omitted: number;
                /** @description How many participants had a smaller window than the definition asks for. */
                shortWindows: number;
                /** @description The current or last environment. Long values are cut. */
                final: {
                    [key: string]: unknown;
                };
                began?: string;
                changed?: string;
                answers?: string;
                /** @description The run that this run was forked from. Both have the same rounds before `round`. */
                forked?: {
                    run: string;
                    round: number;
                };
                /** @description Runs with the same number differ in nothing but their seeds. */
                group: number;
                /** @description The values of the fields that differ, as far as this run has them. */
                differs: {
                    [key: string]: unknown;
                };
            }[];
            /** @description The fields that differ between the definitions, at most 30. For the scopes app and admin. */
            fields?: string[];
            variables: {
                name: string;
                isNumber: boolean;
                /** @description Whether any of the runs changed it. */
                changes: boolean;
                description?: string;
            }[];
            /** @description The numbers that goals compare variables with. For the scopes app and admin. */
            goals: {
                /** @description The name of the goal. */
                name: string;
                /** @enum {string} */
                kind: "success" | "failure";
                variable: string;
                /** @enum {string} */
                sign: "≥" | "≤" | ">" | "<" | "=";
                value: number;
            }[];
        };
        RunSeries: {
            series: {
                run: string;
                variable: string;
                /** @description Round and value; round 0 is the start. All series together have at most 100,000 points: of longer runs, every n-th round and the last. */
                points: [
                    number,
                    number | null
                ][];
            }[];
        };
        Run: {
            /** @example stand-k3v9x2 */
            run: string;
            /**
             * @description The name of the experiment.
             * @example lemonade stand
             */
            name: string;
            seed: number;
            /** @enum {string} */
            status: "running" | "waiting" | "paused" | "stopping" | "success" | "failure" | "limit" | "stopped" | "error";
            /** @description Why the run is over: the goal or the limit that it reached. */
            reason?: string;
            /** @description The participants that are persons and were asked. Each has a call that waits in its thread. The status is `waiting` if no other participant plays. */
            waiting: string[];
            began?: string;
            /** @description When the run last changed. */
            changed?: string;
            /** @description The run whose recorded answers are used instead of asking models. */
            answers?: string;
            /** @description The run that this run was forked from. Both have the same rounds before `round`. */
            forked?: {
                run: string;
                round: number;
            };
            spending: components["schemas"]["Spending"];
            /** @description How many rounds the run may have. */
            limit: number | null;
            participants: {
                name: string;
                /** @description Null for a person. */
                model: string | null;
                /** @description The thread of the participant. It is an ordinary thread, and records what the model saw. */
                thread: string;
                spending: components["schemas"]["Spending"];
            }[];
            rounds: components["schemas"]["RunRound"][];
            /** @description The current environment. */
            environment: {
                [key: string]: unknown;
            };
            initial: {
                [key: string]: unknown;
            };
            /** @description The definition of the run. Only for the scopes app and admin. */
            definition?: unknown;
            /** @description How many variables are left out for viewers, because no participant sees them. */
            hidden: number;
        };
        RunRound: {
            round: number;
            name: string;
            /** @enum {string} */
            play: "sequence" | "parallel" | "addressed";
            /** @description The participants that play, in order. */
            order: string[];
            isOver: boolean;
            began?: string;
            ended?: string;
            /** @description The environment after the round. If the round is not over: the current environment. */
            environment: {
                [key: string]: unknown;
            };
            /** @description The turns of the participants. */
            cells: components["schemas"]["RunCell"][];
        };
        RunCell: {
            participant: string;
            /** @description The number of the turn, counted from 0 within the round. */
            turn: number;
            /** @enum {string} */
            status: "playing" | "asked" | "complete" | "partial" | "cancelled" | "failed";
            text: string;
            reason?: {
                code: string;
                message: string;
                fix?: string;
            };
            /** @description The entry with the question, in the thread of the participant. */
            asked?: string;
            calls: {
                /** @description The receipt of the model call, in the thread of the participant. */
                receipt: string;
                /** @description The hash of the prompt. */
                hash: string;
                prompt: number;
                completion: number;
                /** @description How many entries had each verdict. */
                verdicts: {
                    [key: string]: number;
                };
                /** @description What happened to the question and to the other entries of its turn. Present only if some of them were not sent whole. */
                turn?: {
                    question: string;
                    verdicts: {
                        [key: string]: number;
                    };
                };
                /** @description The requested window, and the window of the model. Present only if that one is smaller. */
                window?: {
                    asked: number;
                    given: number;
                    source: string;
                };
                /** @description Whether the call returned no complete answer. */
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
             * @description The name of the new run. Default: a generated name.
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
            /** @description SHA-256 of the canonical JSON of the definition. */
            definition: string;
            seed: number;
            participants: {
                name: string;
                /** @description The settings as they were sent. If they changed, all of them in order. */
                settings: {
                    /** @description How many model calls were made with these settings. */
                    calls: number;
                    /** @description The seeds that were sent with them, each once, in order. */
                    seeds: number[];
                    compiler: number;
                    model: string | null;
                    wire: string | null;
                    /** @description Options and digest of the model, as far as they are known. */
                    facts?: {
                        [key: string]: unknown;
                    };
                    /** @description What was asked of its answers, such as temperature and seed. */
                    options?: {
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
                 * @description For the preset `default`: when older entries are brought back.
                 * @enum {string}
                 */
                recall?: "off" | "gated" | "eager";
                epochs?: boolean;
                /** @description For the preset `lastMessages`: how many messages are sent. */
                messages?: number;
                /** @description For the preset `tiered`: how many exchanges are sent verbatim. */
                verbatim?: number;
                /** @description For the preset `tiered`: the most tokens of a digest. Default: 64. */
                line?: number;
                /** @description For the preset `tiered`: how much of the room digests may take if whole exchanges need it. Default: 0.25. */
                share?: number;
                /** @enum {string} */
                overflow?: "error" | "keep";
                /** @description Whether the model is asked for notes to self. */
                notes?: boolean;
                journal?: boolean;
                /**
                 * @description The role of notes in prompts. Default: `system`. The journal always has the role `user`.
                 * @enum {string}
                 */
                notesRole?: "system" | "user";
                /** @description Other shares for the tiers of the preset. */
                shares?: {
                    outline?: number;
                    recall?: number;
                    notes?: number;
                    pins?: number;
                };
                /** @description Templates that put JSON answers and tool results of older exchanges into a line. */
                digesters?: {
                    /**
                     * @description A name and a version.
                     * @example lamp@1
                     */
                    id: string;
                    /** @description Only for results of this tool. */
                    tool?: string;
                    /** @description The most tokens of a line with this digest while there is room. */
                    line?: number;
                    /** @description Only for values that have exactly this at these paths. */
                    when?: {
                        [key: string]: string | number | boolean | null;
                    };
                    /**
                     * @description A text with paths into the JSON value in braces.
                     * @example {name}: {steps[*].color}
                     */
                    template: string;
                    /** @description The template for each item of a list, by the path of the list. */
                    each?: {
                        [key: string]: string;
                    };
                    /** @description What comes between the items of a list. Default: `, `. */
                    join?: string;
                }[];
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
                /**
                 * @description The key may decide about calls that need approval. Admins may without it.
                 * @enum {boolean}
                 */
                decide?: true;
                /** @enum {string} */
                source: "configured" | "recorded";
                /** @description When the key was made. */
                time?: string;
                /** @description When the key was revoked. Absent if it is valid. */
                revoked?: string;
                /** @description When the key ends by itself. Absent if it does not. */
                expires?: string;
            }[];
        };
        MadeKey: {
            /** @example website */
            name: string;
            /** @example default */
            tenant: string;
            /** @enum {string} */
            scope: "admin" | "app" | "viewer";
            /**
             * @description The key may decide about calls that need approval. Admins may without it.
             * @enum {boolean}
             */
            decide?: true;
            /** @enum {string} */
            source: "configured" | "recorded";
            /** @description When the key was made. */
            time?: string;
            /** @description When the key was revoked. Absent if it is valid. */
            revoked?: string;
            /** @description When the key ends by itself. Absent if it does not. */
            expires?: string;
            /**
             * @description The key itself. It is shown only once.
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
            /** @description Default: the tenant of the key that sends the request. Only the operator of the installation can make keys for other tenants. */
            tenant?: string;
            /** @enum {string} */
            scope: "admin" | "app" | "viewer";
            /** @description Seconds until the key ends by itself, for one run of a program. Several such keys may have one name. Default: it does not end. */
            expiresIn?: number;
            /**
             * @description Lets a key with the scope `app` decide about calls that need approval. Do not give it to an app that runs an agent. Default: only admins may.
             * @enum {boolean}
             */
            decide?: true;
        };
        Key: {
            /** @example website */
            name: string;
            /** @example default */
            tenant: string;
            /** @enum {string} */
            scope: "admin" | "app" | "viewer";
            /**
             * @description The key may decide about calls that need approval. Admins may without it.
             * @enum {boolean}
             */
            decide?: true;
            /** @enum {string} */
            source: "configured" | "recorded";
            /** @description When the key was made. */
            time?: string;
            /** @description When the key was revoked. Absent if it is valid. */
            revoked?: string;
            /** @description When the key ends by itself. Absent if it does not. */
            expires?: string;
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
            /** @description Facts about the server. None of them is secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "minutebook",
                     *       "key": "ann",
                     *       "tenant": "default",
                     *       "scope": "viewer",
                     *       "approves": false,
                     *       "shown": "key",
                     *       "needsKey": true,
                     *       "store": "sqlite",
                     *       "readOnly": false,
                     *       "record": true,
                     *       "defaultModel": null,
                     *       "states": []
                     *     }
                     */
                    "application/json": components["schemas"]["About"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The models of the upstreams, by name. Models of an upstream that does not answer in time are missing. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "models": [
                     *         {
                     *           "name": "gemma3:4b"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ModelList"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
            /** @description The tools, with the names that setups use. Tools of MCP servers that do not answer are missing. */
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
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
                /** @description The maximum number of threads. Default: 100. */
                limit?: number;
                /** @description The value of `next` on the previous page. */
                after?: string;
                /** @description List only threads that have one of these marks, which are separated by commas. A page may then be short although there is a `next`. */
                marks?: string;
                /** @description Leave out these threads, which are separated by commas. `runs`: of participants of experiments. `one-offs`: single questions through the gateway. `forks`: forks of other threads. A page may then be short although there is a `next`. */
                hide?: string;
                /** @description List only threads that have this pair of metadata, a key and a value with a colon between them. If it is repeated, a thread must have all pairs. */
                metadata?: string[];
                /** @description List only threads with a message that has this rating. */
                rating?: "up" | "down";
                /** @description List only threads with a message that has this tag. */
                tag?: string;
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
                     *           "metadata": {
                     *             "owner": "ann"
                     *           },
                     *           "model": "gemma3:4b",
                     *           "entries": 7,
                     *           "created": "2026-11-15T11:30:00.000Z",
                     *           "written": "2026-11-15T12:00:00.000Z",
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
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field.
             *
             *     `invalid_page`: There is no such page.
             *
             *     `invalid_metadata`: The metadata has too many pairs, or one that cannot be kept.
             *
             *     `invalid_feedback`: The comment or a tag cannot be kept.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
            /** @description The thread is created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "thread": "garden",
                     *       "title": null,
                     *       "metadata": {
                     *         "owner": "ann"
                     *       },
                     *       "model": null,
                     *       "entries": 1,
                     *       "created": "2026-11-15T11:30:00.000Z",
                     *       "written": "2026-11-15T12:00:00.000Z",
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
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field.
             *
             *     `invalid_json`: The body is not JSON.
             *
             *     `invalid_thread`: This is not a valid name for a thread.
             *
             *     `invalid_metadata`: The metadata has too many pairs, or one that cannot be kept.
             *
             *     `unknown_model`: No upstream has the model.
             *
             *     `unknown_tool`: No tool is registered under this name.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
             *     `read_only`: The server only reads its record.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_policy`: There is no policy with this name. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The client sent the body too slowly, or so slowly that other requests had to wait for the memory that is reserved for it. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `thread_exists`: A thread with this name already exists. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server accepts, or needs more memory than one tenant may use. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The operation does not accept the content type of the body. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    countThreads: {
        parameters: {
            query?: {
                /** @description Leave out these threads, which are separated by commas. `runs`: of participants of experiments. `one-offs`: single questions through the gateway. `forks`: forks of other threads. A page may then be short although there is a `next`. */
                hide?: string;
            };
            header?: never;
            path?: never;
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
                     *       "looked": 500,
                     *       "whole": false,
                     *       "sorts": {
                     *         "runs": 240,
                     *         "one-offs": 31,
                     *         "forks": 2
                     *       },
                     *       "marks": {
                     *         "truncated": 1,
                     *         "overflow": 0,
                     *         "failed": 3,
                     *         "partial": 0,
                     *         "console": 2
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ThreadCounts"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    loadExample: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The example: a conversation that outgrew its window. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "thread": "example-trip",
                     *       "title": "What grows in the shade?",
                     *       "metadata": {
                     *         "owner": "ann"
                     *       },
                     *       "model": "gemma3:4b",
                     *       "entries": 7,
                     *       "created": "2026-11-15T11:30:00.000Z",
                     *       "written": "2026-11-15T12:00:00.000Z",
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
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
             *     `read_only`: The server only reads its record.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
                /** @description The name of the thread. A name that contains anything but letters, digits, "_" and "-" is sent as "~", followed by its bytes in base64url. */
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
                     *       "metadata": {
                     *         "owner": "ann"
                     *       },
                     *       "model": "gemma3:4b",
                     *       "entries": 7,
                     *       "created": "2026-11-15T11:30:00.000Z",
                     *       "written": "2026-11-15T12:00:00.000Z",
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
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeThread: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the thread. A name that contains anything but letters, digits, "_" and "-" is sent as "~", followed by its bytes in base64url. */
                thread: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The receipt of the removal. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "thread": "garden",
                     *       "entries": 7,
                     *       "snapshots": 1,
                     *       "records": 2,
                     *       "images": 0,
                     *       "remains": []
                     *     }
                     */
                    "application/json": components["schemas"]["Removal"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
             *     `read_only`: The server only reads its record.
             */
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
            /** @description `run_thread`: The thread belongs to a participant of a run, and only the run may write to it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
                /** @description The name of the thread. A name that contains anything but letters, digits, "_" and "-" is sent as "~", followed by its bytes in base64url. */
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
                     *       "metadata": {
                     *         "owner": "ann"
                     *       },
                     *       "model": "gemma3:4b",
                     *       "entries": 7,
                     *       "created": "2026-11-15T11:30:00.000Z",
                     *       "written": "2026-11-15T12:00:00.000Z",
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
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field.
             *
             *     `invalid_json`: The body is not JSON.
             *
             *     `unknown_model`: No upstream has the model.
             *
             *     `unknown_tool`: No tool is registered under this name.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
             *     `read_only`: The server only reads its record.
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
             * @description `unknown_thread`: There is no such thread.
             *
             *     `unknown_policy`: There is no policy with this name.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The client sent the body too slowly, or so slowly that other requests had to wait for the memory that is reserved for it. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `run_thread`: The thread belongs to a participant of a run, and only the run may write to it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server accepts, or needs more memory than one tenant may use. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The operation does not accept the content type of the body. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    changeMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the thread. A name that contains anything but letters, digits, "_" and "-" is sent as "~", followed by its bytes in base64url. */
                thread: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MetadataChanges"];
            };
        };
        responses: {
            /** @description The thread with its new metadata. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "thread": "garden",
                     *       "title": "What grows in the shade?",
                     *       "metadata": {
                     *         "owner": "ann"
                     *       },
                     *       "model": "gemma3:4b",
                     *       "entries": 7,
                     *       "created": "2026-11-15T11:30:00.000Z",
                     *       "written": "2026-11-15T12:00:00.000Z",
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
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field.
             *
             *     `invalid_json`: The body is not JSON.
             *
             *     `invalid_metadata`: The metadata has too many pairs, or one that cannot be kept.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
             *     `read_only`: The server only reads its record.
             */
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
            /** @description `body_too_slow`: The client sent the body too slowly, or so slowly that other requests had to wait for the memory that is reserved for it. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `run_thread`: The thread belongs to a participant of a run, and only the run may write to it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server accepts, or needs more memory than one tenant may use. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The operation does not accept the content type of the body. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    pinEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the thread. A name that contains anything but letters, digits, "_" and "-" is sent as "~", followed by its bytes in base64url. */
                thread: string;
                /** @description The id of the entry. */
                entry: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message is pinned. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "thread": "garden",
                     *       "entry": "9f2c4e",
                     *       "pinned": true,
                     *       "changed": true
                     *     }
                     */
                    "application/json": components["schemas"]["PinChange"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
             *     `read_only`: The server only reads its record.
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
            /**
             * @description `run_thread`: The thread belongs to a participant of a run, and only the run may write to it.
             *
             *     `not_pinnable`: The entry cannot be pinned: it is erased, or no message of a user, a model or a tool.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    unpinEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the thread. A name that contains anything but letters, digits, "_" and "-" is sent as "~", followed by its bytes in base64url. */
                thread: string;
                /** @description The id of the entry. */
                entry: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message is not pinned. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "thread": "garden",
                     *       "entry": "9f2c4e",
                     *       "pinned": false,
                     *       "changed": true
                     *     }
                     */
                    "application/json": components["schemas"]["PinChange"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
             *     `read_only`: The server only reads its record.
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
            /** @description `run_thread`: The thread belongs to a participant of a run, and only the run may write to it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the thread. A name that contains anything but letters, digits, "_" and "-" is sent as "~", followed by its bytes in base64url. */
                thread: string;
                /** @description The id of the entry. */
                entry: string;
                /** @description The place of the image in the entry, counted from 0. */
                image: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes of the image. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/jpeg": string;
                    "image/gif": string;
                    "image/webp": string;
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
             *     `unknown_image`: The entry has no such image, or none that can be shown.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
                /** @description 1: list also entries that people do not see. Only for admins. */
                hidden?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description The name of the thread. A name that contains anything but letters, digits, "_" and "-" is sent as "~", followed by its bytes in base64url. */
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
                     *         {
                     *           "head": "9f2c4e",
                     *           "from": null,
                     *           "text": "What grows in the shade?"
                     *         }
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
                     *           "number": 1,
                     *           "turn": 1
                     *         }
                     *       ],
                     *       "hidden": 2
                     *     }
                     */
                    "application/json": components["schemas"]["Entries"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    rateEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the thread. A name that contains anything but letters, digits, "_" and "-" is sent as "~", followed by its bytes in base64url. */
                thread: string;
                /** @description The id of the entry. */
                entry: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Feedback"];
            };
        };
        responses: {
            /** @description The feedback is recorded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "thread": "garden",
                     *       "entry": "9f2c4e",
                     *       "by": "ann",
                     *       "rating": "down",
                     *       "comment": "Ferns want water.",
                     *       "tags": [
                     *         "facts"
                     *       ],
                     *       "changed": true
                     *     }
                     */
                    "application/json": components["schemas"]["FeedbackChange"];
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field.
             *
             *     `invalid_json`: The body is not JSON.
             *
             *     `invalid_feedback`: The comment or a tag cannot be kept.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
             *     `read_only`: The server only reads its record.
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
            /** @description `body_too_slow`: The client sent the body too slowly, or so slowly that other requests had to wait for the memory that is reserved for it. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `run_thread`: The thread belongs to a participant of a run, and only the run may write to it.
             *
             *     `not_ratable`: The entry cannot be rated: it is erased, or no message of a user, a model or a tool.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server accepts, or needs more memory than one tenant may use. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The operation does not accept the content type of the body. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    unrateEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the thread. A name that contains anything but letters, digits, "_" and "-" is sent as "~", followed by its bytes in base64url. */
                thread: string;
                /** @description The id of the entry. */
                entry: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description There is no feedback of this key for the message. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "thread": "garden",
                     *       "entry": "9f2c4e",
                     *       "by": "ann",
                     *       "tags": [],
                     *       "changed": true
                     *     }
                     */
                    "application/json": components["schemas"]["FeedbackChange"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
             *     `read_only`: The server only reads its record.
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
            /**
             * @description `run_thread`: The thread belongs to a participant of a run, and only the run may write to it.
             *
             *     `not_ratable`: The entry cannot be rated: it is erased, or no message of a user, a model or a tool.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listFeedback: {
        parameters: {
            query?: {
                /** @description Only messages with this rating. */
                rating?: "up" | "down";
                /** @description Only messages with this tag. */
                tag?: string;
                /** @description Only messages of this thread. */
                thread?: string;
                /** @description The message or the comment must contain all these words. */
                query?: string;
                /** @description The maximum number of messages. Default: 20. */
                limit?: number;
                /** @description The value of `next` on the previous page. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of messages, each with what one person thinks of it. */
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
                     *           "seq": 2,
                     *           "kind": "assistant",
                     *           "text": "Not often.",
                     *           "feedback": {
                     *             "id": "c02d11",
                     *             "by": "ann",
                     *             "rating": "down",
                     *             "comment": "Ferns want water.",
                     *             "tags": [
                     *               "facts"
                     *             ],
                     *             "time": "2026-11-18T12:00:00.000Z"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FeedbackList"];
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field.
             *
             *     `invalid_feedback`: The comment or a tag cannot be kept.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    exportFeedback: {
        parameters: {
            query?: {
                /** @description Only messages with this rating. */
                rating?: "up" | "down";
                /** @description Only messages with this tag. */
                tag?: string;
                /** @description Only messages of this thread. */
                thread?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The messages, what was rated last first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field.
             *
             *     `invalid_feedback`: The comment or a tag cannot be kept.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
                /** @description The name of the thread. A name that contains anything but letters, digits, "_" and "-" is sent as "~", followed by its bytes in base64url. */
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
                     *     data: {"offset":0,"text":"Ferns"}
                     *
                     *     event: end
                     *     id: 5.1.0.end
                     *     data: {"status":"complete","turn":"9f2c4e","answer":"b71e90"}
                     */
                    "text/event-stream": string;
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field.
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
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
             *     `read_only`: The server only reads its record.
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
             * @description `unknown_thread`: There is no such thread.
             *
             *     `unknown_entry`: The thread has no such entry.
             *
             *     `unknown_policy`: There is no policy with this name.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The client sent the body too slowly, or so slowly that other requests had to wait for the memory that is reserved for it. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `run_thread`: The thread belongs to a participant of a run, and only the run may write to it.
             *
             *     `busy`: A turn is running on this thread, and the request neither waits for it nor interrupts it.
             *
             *     `id_taken`: The id was already used for another message.
             *
             *     `erased_before`: The same message was erased in this place.
             *
             *     `not_recorded`: The message was not recorded, because it was withdrawn or because another message was recorded first.
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
             * @description `body_too_long`: The body is longer than the server accepts, or needs more memory than one tenant may use.
             *
             *     `thread_too_large`: With what the request adds, the thread would be larger than the server allows (`threadLimit`).
             */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The operation does not accept the content type of the body. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
                /** @description The name of the thread. A name that contains anything but letters, digits, "_" and "-" is sent as "~", followed by its bytes in base64url. */
                thread: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message will be answered. */
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
                     *     data: {"offset":0,"text":"Ferns"}
                     *
                     *     event: end
                     *     id: 5.1.0.end
                     *     data: {"status":"complete","turn":"9f2c4e","answer":"b71e90"}
                     */
                    "text/event-stream": string;
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field.
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
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
             *     `read_only`: The server only reads its record.
             */
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
             * @description `run_thread`: The thread belongs to a participant of a run, and only the run may write to it.
             *
             *     `busy`: A turn is running on this thread, and the request neither waits for it nor interrupts it.
             *
             *     `nothing_to_answer`: There is no message to answer again.
             *
             *     `not_recorded`: The message was not recorded, because it was withdrawn or because another message was recorded first.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
                /** @description The name of the thread. A name that contains anything but letters, digits, "_" and "-" is sent as "~", followed by its bytes in base64url. */
                thread: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No turn that began before this request is running any more. */
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
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
             *     `read_only`: The server only reads its record.
             */
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
            /** @description `run_thread`: The thread belongs to a participant of a run, and only the run may write to it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
                /** @description The name of the thread. A name that contains anything but letters, digits, "_" and "-" is sent as "~", followed by its bytes in base64url. */
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
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
                /** @description The position to continue from, which is the `id` of the last event that the client received. The header `last-event-id` does the same. Default: the stream begins with the running turn. */
                from?: string;
                /** @description `rest`: the stream ends when no turn is running and no message is waiting. Default: the stream continues with later turns. */
                until?: "rest";
            };
            header?: never;
            path: {
                /** @description The name of the thread. A name that contains anything but letters, digits, "_" and "-" is sent as "~", followed by its bytes in base64url. */
                thread: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events, until the client disconnects. With `until=rest`, the stream ends when no turn is running. */
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
                     *     data: {"offset":0,"text":"Ferns"}
                     *
                     *     event: end
                     *     id: 5.1.0.end
                     *     data: {"status":"complete","turn":"9f2c4e","answer":"b71e90"}
                     */
                    "text/event-stream": string;
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field.
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
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWaiting: {
        parameters: {
            query?: {
                /** @description The maximum number of calls, the newest first. Default: 100. */
                limit?: number;
                /** @description The value of `next` on the previous page. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The calls, the newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "calls": [
                     *         {
                     *           "id": "9f2c4e719f2c4e719f2c4e719f2c4e719f2c4e719f2c4e719f2c4e719f2c4e71.0",
                     *           "call": {
                     *             "id": "call_1",
                     *             "name": "order",
                     *             "arguments": "{\"item\":\"fern\"}",
                     *             "input": {
                     *               "item": "fern"
                     *             }
                     *           },
                     *           "needs": "approval",
                     *           "since": "2026-11-15T12:00:00.000Z",
                     *           "thread": "garden"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CallList"];
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field.
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
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listOpenCalls: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the thread. A name that contains anything but letters, digits, "_" and "-" is sent as "~", followed by its bytes in base64url. */
                thread: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The calls, in the order in which the model made them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "calls": [
                     *         {
                     *           "id": "9f2c4e719f2c4e719f2c4e719f2c4e719f2c4e719f2c4e719f2c4e719f2c4e71.0",
                     *           "call": {
                     *             "id": "call_1",
                     *             "name": "order",
                     *             "arguments": "{\"item\":\"fern\"}",
                     *             "input": {
                     *               "item": "fern"
                     *             }
                     *           },
                     *           "needs": "approval",
                     *           "since": "2026-11-15T12:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["OpenCalls"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    decideCall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the thread. A name that contains anything but letters, digits, "_" and "-" is sent as "~", followed by its bytes in base64url. */
                thread: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewDecision"];
            };
        };
        responses: {
            /** @description The decision is recorded. */
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
                     *     data: {"offset":0,"text":"Ferns"}
                     *
                     *     event: end
                     *     id: 5.1.0.end
                     *     data: {"status":"complete","turn":"9f2c4e","answer":"b71e90"}
                     */
                    "text/event-stream": string;
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field.
             *
             *     `invalid_json`: The body is not JSON.
             *
             *     `invalid_decision`: This cannot be decided about this call.
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
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
             *     `read_only`: The server only reads its record.
             *
             *     `may_not_approve`: The call needs approval, and this key may not approve calls.
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
             * @description `unknown_thread`: There is no such thread.
             *
             *     `not_waiting`: No tool call with this id waits for a decision on this thread.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The client sent the body too slowly, or so slowly that other requests had to wait for the memory that is reserved for it. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `run_thread`: The thread belongs to a participant of a run, and only the run may write to it.
             *
             *     `already_decided`: There is a decision about this call already. The first decision counts, and `decided` has it.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server accepts, or needs more memory than one tenant may use. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The operation does not accept the content type of the body. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
                /** @description The name of the thread. A name that contains anything but letters, digits, "_" and "-" is sent as "~", followed by its bytes in base64url. */
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
            /** @description The turn, after it was answered or stopped. */
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
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field.
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
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
             *     `read_only`: The server only reads its record.
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
            /** @description `body_too_slow`: The client sent the body too slowly, or so slowly that other requests had to wait for the memory that is reserved for it. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `run_thread`: The thread belongs to a participant of a run, and only the run may write to it.
             *
             *     `id_taken`: The id was already used for another message.
             *
             *     `erased_before`: The same message was erased in this place.
             *
             *     `nothing_to_answer`: There is no message to answer again.
             *
             *     `needs_decision`: A call of the thread needs approval, and only a decision about it can come next, not a result or a message.
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
             * @description `body_too_long`: The body is longer than the server accepts, or needs more memory than one tenant may use.
             *
             *     `thread_too_large`: With what the request adds, the thread would be larger than the server allows (`threadLimit`).
             */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The operation does not accept the content type of the body. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
                /** @description The name of the thread. A name that contains anything but letters, digits, "_" and "-" is sent as "~", followed by its bytes in base64url. */
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
            /** @description The turn on the new thread, after it was answered or stopped. */
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
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field.
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
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
             *     `read_only`: The server only reads its record.
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
            /** @description `body_too_slow`: The client sent the body too slowly, or so slowly that other requests had to wait for the memory that is reserved for it. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `window_too_small`: The model has a smaller window than the prompt was made for. The field `window` contains both sizes, and whether the model server can load the model with the larger one.
             *
             *     `other_protocol`: The prompt has the form of one protocol, but the model now uses another.
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
             * @description `body_too_long`: The body is longer than the server accepts, or needs more memory than one tenant may use.
             *
             *     `thread_too_large`: With what the request adds, the thread would be larger than the server allows (`threadLimit`).
             */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The operation does not accept the content type of the body. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
                /** @description The name of the thread. A name that contains anything but letters, digits, "_" and "-" is sent as "~", followed by its bytes in base64url. */
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
                     *           },
                     *           "time": {
                     *             "started": "2026-11-18T12:00:00.000Z",
                     *             "firstToken": 310,
                     *             "total": 840
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Receipts"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
                /** @description Selects the last model call of this turn. The turn is a number, counted from 1, or the id of its user entry. `3.2` selects the second call of the third turn. */
                turn?: string;
                /** @description Selects the model call with this receipt. Without `turn` and `receipt`, the last call of the thread is selected. */
                receipt?: string;
            };
            header?: never;
            path: {
                /** @description The name of the thread. A name that contains anything but letters, digits, "_" and "-" is sent as "~", followed by its bytes in base64url. */
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
                     *       "call": "1",
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
                     *         },
                     *         "time": {
                     *           "started": "2026-11-18T12:00:00.000Z",
                     *           "firstToken": 310,
                     *           "total": 840
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
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field.
             *
             *     `invalid_call`: The request names both a turn and a receipt.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `cannot_derive`: The prompt cannot be derived again, because its counter is not available or because parts of it were erased. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
                /** @description Selects the last model call of this turn. The turn is a number, counted from 1, or the id of its user entry. `3.2` selects the second call of the third turn. */
                turn?: string;
                /** @description Selects the model call with this receipt. Without `turn` and `receipt`, the last call of the thread is selected. */
                receipt?: string;
            };
            header?: never;
            path: {
                /** @description The name of the thread. A name that contains anything but letters, digits, "_" and "-" is sent as "~", followed by its bytes in base64url. */
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
                     *       "call": "1",
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
                     *         },
                     *         "time": {
                     *           "started": "2026-11-18T12:00:00.000Z",
                     *           "firstToken": 310,
                     *           "total": 840
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
                     *         "digesters": [],
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
                     *       "cost": {
                     *         "amount": 0.0021,
                     *         "currency": "USD"
                     *       },
                     *       "cache": {
                     *         "total": 1840,
                     *         "previous": 1795,
                     *         "kept": 208,
                     *         "lost": 1565,
                     *         "seconds": 3.4,
                     *         "difference": {
                     *           "place": "messages[0].content",
                     *           "message": 0,
                     *           "byte": 934
                     *         },
                     *         "cause": "system",
                     *         "why": "the system text changed, at messages[0].content",
                     *         "cached": 208
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
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field.
             *
             *     `invalid_call`: The request names both a turn and a receipt.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `cannot_derive`: The prompt cannot be derived again, because its counter is not available or because parts of it were erased. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listCacheUsage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the thread. A name that contains anything but letters, digits, "_" and "-" is sent as "~", followed by its bytes in base64url. */
                thread: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The model calls on all branches whose prompts can be derived, oldest first. */
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
                     *           "call": "3.2",
                     *           "model": "gemma3:4b",
                     *           "total": 1840,
                     *           "previous": 1795,
                     *           "kept": 208,
                     *           "lost": 1565,
                     *           "seconds": 3.4,
                     *           "difference": {
                     *             "place": "messages[0].content",
                     *             "message": 0,
                     *             "byte": 934
                     *           },
                     *           "cause": "system",
                     *           "why": "the system text changed, at messages[0].content",
                     *           "cached": 208
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CacheUsages"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
            query?: {
                /** @description Check only the newest entries: this many. Default with `prompts`: 200. */
                entries?: number;
                /** @description Check only the newest prompts of these entries: this many. Default with `entries`: 20. */
                prompts?: number;
            };
            header?: never;
            path: {
                /** @description The name of the thread. A name that contains anything but letters, digits, "_" and "-" is sent as "~", followed by its bytes in base64url. */
                thread: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result of the verification. */
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
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
                /** @description The name of the thread. A name that contains anything but letters, digits, "_" and "-" is sent as "~", followed by its bytes in base64url. */
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
            /** @description The model calls of the newest branch, with the prompts that they would have had. */
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
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field.
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
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
             *     `unknown_policy`: There is no policy with this name.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The client sent the body too slowly, or so slowly that other requests had to wait for the memory that is reserved for it. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `cannot_derive`: The prompt cannot be derived again, because its counter is not available or because parts of it were erased. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server accepts, or needs more memory than one tenant may use. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The operation does not accept the content type of the body. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
                /** @description The entry at which the state is read. Default: the newest. */
                at?: string;
            };
            header?: never;
            path: {
                /** @description The name of the thread. A name that contains anything but letters, digits, "_" and "-" is sent as "~", followed by its bytes in base64url. */
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
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
             *     `unknown_state`: No state with this name is configured.
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
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
                /** @description An entry must contain all these words. */
                query: string;
                /** @description Search only this thread. */
                thread?: string;
                /** @description The maximum number of results. Default: 20. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The matching entries that people may see. */
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
                     *           "title": "What grows in the shade?",
                     *           "id": "9f2c4e",
                     *           "seq": 1,
                     *           "text": "What grows in the shade?",
                     *           "kind": "user",
                     *           "time": "2026-11-15T12:00:00.000Z",
                     *           "number": 1,
                     *           "turn": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Found"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
                /** @description The name of the thread. A name that contains anything but letters, digits, "_" and "-" is sent as "~", followed by its bytes in base64url. */
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
                     *       "metadata": {
                     *         "owner": "ann"
                     *       },
                     *       "model": "gemma3:4b",
                     *       "entries": 7,
                     *       "created": "2026-11-15T11:30:00.000Z",
                     *       "written": "2026-11-15T12:00:00.000Z",
                     *       "marks": [],
                     *       "oneOff": false,
                     *       "relayed": false
                     *     }
                     */
                    "application/json": components["schemas"]["ThreadSummary"];
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field.
             *
             *     `invalid_json`: The body is not JSON.
             *
             *     `invalid_thread`: This is not a valid name for a thread.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
             *     `read_only`: The server only reads its record.
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
            /** @description `body_too_slow`: The client sent the body too slowly, or so slowly that other requests had to wait for the memory that is reserved for it. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `thread_exists`: A thread with this name already exists. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server accepts, or needs more memory than one tenant may use. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The operation does not accept the content type of the body. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
                /** @description The name of the thread. A name that contains anything but letters, digits, "_" and "-" is sent as "~", followed by its bytes in base64url. */
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
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field.
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
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
             *     `read_only`: The server only reads its record.
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
            /** @description `body_too_slow`: The client sent the body too slowly, or so slowly that other requests had to wait for the memory that is reserved for it. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server accepts, or needs more memory than one tenant may use. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The operation does not accept the content type of the body. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
                /** @description The name of the thread. A name that contains anything but letters, digits, "_" and "-" is sent as "~", followed by its bytes in base64url. */
                thread: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole log, in the form that an import reads. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
                /** @description The name of the thread. A name that contains anything but letters, digits, "_" and "-" is sent as "~", followed by its bytes in base64url. */
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
                     *       "metadata": {
                     *         "owner": "ann"
                     *       },
                     *       "model": "gemma3:4b",
                     *       "entries": 7,
                     *       "created": "2026-11-15T11:30:00.000Z",
                     *       "written": "2026-11-15T12:00:00.000Z",
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
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field.
             *
             *     `invalid_json`: The body is not JSON.
             *
             *     `invalid_thread`: This is not a valid name for a thread.
             *
             *     `corrupt_line`: A line of the import was changed, or was not written by an export. The message names the line. Nothing was imported.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
             *     `read_only`: The server only reads its record.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The client sent the body too slowly, or so slowly that other requests had to wait for the memory that is reserved for it. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `thread_exists`: A thread with this name already exists.
             *
             *     `run_thread`: The thread belongs to a participant of a run, and only the run may write to it.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server accepts, or needs more memory than one tenant may use. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The operation does not accept the content type of the body. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
                /** @description The name of the thread. A name that contains anything but letters, digits, "_" and "-" is sent as "~", followed by its bytes in base64url. */
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
                     *             },
                     *             "time": {
                     *               "started": "2026-11-18T12:00:00.000Z",
                     *               "firstToken": 310,
                     *               "total": 840
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
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
                /** @description The name of the thread. A name that contains anything but letters, digits, "_" and "-" is sent as "~", followed by its bytes in base64url. */
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
                     *       "call": "1",
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
                     *         },
                     *         "time": {
                     *           "started": "2026-11-18T12:00:00.000Z",
                     *           "firstToken": 310,
                     *           "total": 840
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
                     *           "number": 1,
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
                     *       "cost": {
                     *         "amount": 0.0021,
                     *         "currency": "USD"
                     *       },
                     *       "cache": {
                     *         "total": 39,
                     *         "previous": 0,
                     *         "kept": 0,
                     *         "lost": 0
                     *       },
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
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `cannot_derive`: The prompt cannot be derived again, because its counter is not available or because parts of it were erased. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getLane: {
        parameters: {
            query?: {
                /** @description The branch that ends with this entry. Default: the newest one that has the entry. */
                head?: string;
                /** @description The most calls. The newest ones are returned. Default: 200. */
                limit?: number;
                /** @description The call to say of what would have kept the entry. Default: the newest one without it. */
                receipt?: string;
            };
            header?: never;
            path: {
                /** @description The name of the thread. A name that contains anything but letters, digits, "_" and "-" is sent as "~", followed by its bytes in base64url. */
                thread: string;
                /** @description The id of the entry. */
                entry: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lane of the entry. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "thread": "garden",
                     *       "entry": "9f2c4e",
                     *       "kind": "user",
                     *       "number": 1,
                     *       "turn": 1,
                     *       "pinned": false,
                     *       "head": "a41d07",
                     *       "calls": [
                     *         {
                     *           "receipt": "c02d11",
                     *           "turn": 9,
                     *           "verdict": "outlined",
                     *           "reason": "older, only counted",
                     *           "tokens": 0,
                     *           "same": true,
                     *           "since": 9,
                     *           "recall": {
                     *             "words": [
                     *               "tower",
                     *               "view"
                     *             ],
                     *             "shared": [],
                     *             "entries": 2,
                     *             "tokens": 180
                     *           }
                     *         }
                     *       ],
                     *       "earlier": 8,
                     *       "without": {
                     *         "receipt": "c02d11",
                     *         "turn": 9,
                     *         "restorations": [
                     *           {
                     *             "by": "pin",
                     *             "tokens": 42,
                     *             "verdict": "verbatim"
                     *           },
                     *           {
                     *             "by": "window",
                     *             "tokens": 960,
                     *             "verdict": "verbatim",
                     *             "changes": {
                     *               "window": 6144
                     *             }
                     *           },
                     *           {
                     *             "by": "system",
                     *             "tokens": 12,
                     *             "verdict": "verbatim"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Lane"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
                /** @description The name of the thread. A name that contains anything but letters, digits, "_" and "-" is sent as "~", followed by its bytes in base64url. */
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
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `cannot_derive`: The prompt cannot be derived again, because its counter is not available or because parts of it were erased. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOverview: {
        parameters: {
            query?: {
                /** @description The first hour (ISO 8601). Default: 24 hours before `to`. */
                from?: string;
                /** @description The time to stop before (ISO 8601). Default: now. */
                to?: string;
                /** @description How many hours are summed in a step of the series. Default: so that there are at most 60 steps. It is more if there would be more than 400 steps. */
                step?: number;
                /** @description Only calls of this model. */
                model?: string;
                /** @description Only calls for this key. */
                key?: string;
                /** @description How many threads with problems are listed. Default: 12. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Figures over time, and the threads with problems, the worst first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "from": "2026-11-18T14:00:00.000Z",
                     *       "to": "2026-11-18T15:00:00.000Z",
                     *       "step": 1,
                     *       "totals": {
                     *         "calls": 2,
                     *         "failed": 0,
                     *         "cancelled": 0,
                     *         "resent": 0,
                     *         "unsent": 0,
                     *         "cutCalls": 1,
                     *         "omittedCalls": 0,
                     *         "clippedCalls": 0,
                     *         "clippedQuestions": 0,
                     *         "sentTokens": 5500,
                     *         "reusedTokens": 1700,
                     *         "readTokens": 3900,
                     *         "cachedTokens": 0,
                     *         "cutTokens": 1600,
                     *         "answerTokens": 0,
                     *         "verbatim": 31,
                     *         "clipped": 0,
                     *         "recalled": 0,
                     *         "digested": 0,
                     *         "outlined": 0,
                     *         "omitted": 0
                     *       },
                     *       "series": [
                     *         {
                     *           "from": "2026-11-18T14:00:00.000Z",
                     *           "figures": {
                     *             "calls": 2,
                     *             "failed": 0,
                     *             "cancelled": 0,
                     *             "resent": 0,
                     *             "unsent": 0,
                     *             "cutCalls": 1,
                     *             "omittedCalls": 0,
                     *             "clippedCalls": 0,
                     *             "clippedQuestions": 0,
                     *             "sentTokens": 5500,
                     *             "reusedTokens": 1700,
                     *             "readTokens": 3900,
                     *             "cachedTokens": 0,
                     *             "cutTokens": 1600,
                     *             "answerTokens": 0,
                     *             "verbatim": 31,
                     *             "clipped": 0,
                     *             "recalled": 0,
                     *             "digested": 0,
                     *             "outlined": 0,
                     *             "omitted": 0
                     *           }
                     *         }
                     *       ],
                     *       "models": [
                     *         {
                     *           "name": "gemma3:4b",
                     *           "calls": 2
                     *         }
                     *       ],
                     *       "keys": [
                     *         {
                     *           "name": "shop",
                     *           "calls": 2
                     *         }
                     *       ],
                     *       "problems": [
                     *         {
                     *           "thread": "garden",
                     *           "title": "What grows in the shade?",
                     *           "model": "gemma3:4b",
                     *           "reasons": [
                     *             {
                     *               "reason": "cut",
                     *               "calls": 1,
                     *               "receipt": "c02d11"
                     *             }
                     *           ],
                     *           "calls": [
                     *             {
                     *               "receipt": "c02d11",
                     *               "sent": 3600,
                     *               "reused": 1700,
                     *               "read": 1990,
                     *               "window": 8192,
                     *               "problems": [
                     *                 "cut"
                     *               ]
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "threads": {
                     *         "count": 1,
                     *         "all": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Overview"];
                };
            };
            /**
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field.
             *
             *     `invalid_range`: The range of time is not one: `from` must be before `to`.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAllCalls: {
        parameters: {
            query?: {
                /** @description The most calls. Default: 100. */
                limit?: number;
                /** @description The value of `next` on the previous page. */
                after?: string;
                /** @description Only calls that ended at this time or later. */
                since?: string;
                /** @description Only calls that ended before this time. */
                until?: string;
                /** @description Only calls that ended in one of these ways, which are separated by commas. */
                outcome?: string;
                /** @description Only calls of this model. If it is repeated: of one of these models. */
                model?: string[];
                /** @description Only calls on behalf of the key with this name. Needs the scope admin. */
                owner?: string[];
                /** @description Only calls with one of these flags, which are separated by commas. `cut`: the model server cut the prompt. `omitted`, `clipped`: at least one entry was left out, or shortened. `slow`: it took 10 seconds or more. */
                flag?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of calls. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "calls": [
                     *         {
                     *           "thread": "garden",
                     *           "title": "What grows in the shade?",
                     *           "receipt": "c02d11",
                     *           "ended": "2026-11-18T20:30:04.100Z",
                     *           "firstToken": 2900,
                     *           "total": 4100,
                     *           "turn": 5,
                     *           "model": "gemma3:4b",
                     *           "owner": "website",
                     *           "outcome": "stop",
                     *           "sent": 1772,
                     *           "reused": 73,
                     *           "read": 1768,
                     *           "answer": 212,
                     *           "omitted": 12,
                     *           "clipped": 1,
                     *           "cut": false
                     *         }
                     *       ],
                     *       "from": "2026-11-18T20:30:04.100Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ListedCalls"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    countCalls: {
        parameters: {
            query?: {
                /** @description Only calls that ended at this time or later. */
                since?: string;
                /** @description Only calls that ended before this time. */
                until?: string;
                /** @description Only calls that ended in one of these ways, which are separated by commas. */
                outcome?: string;
                /** @description Only calls of this model. If it is repeated: of one of these models. */
                model?: string[];
                /** @description Only calls on behalf of the key with this name. Needs the scope admin. */
                owner?: string[];
                /** @description Only calls with one of these flags, which are separated by commas. `cut`: the model server cut the prompt. `omitted`, `clipped`: at least one entry was left out, or shortened. `slow`: it took 10 seconds or more. */
                flag?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts, the highest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "looked": 1000,
                     *       "whole": false,
                     *       "outcome": [
                     *         {
                     *           "value": "stop",
                     *           "count": 996
                     *         }
                     *       ],
                     *       "model": [
                     *         {
                     *           "value": "gemma3:4b",
                     *           "count": 1000
                     *         }
                     *       ],
                     *       "owner": [
                     *         {
                     *           "value": "website",
                     *           "count": 1000
                     *         }
                     *       ],
                     *       "flag": [
                     *         {
                     *           "value": "omitted",
                     *           "count": 31
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CallCounts"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
            /** @description Everything that must be fixed before the experiment can run. */
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
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field.
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
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `body_too_slow`: The client sent the body too slowly, or so slowly that other requests had to wait for the memory that is reserved for it. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server accepts, or needs more memory than one tenant may use. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The operation does not accept the content type of the body. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
                /** @description The maximum number of runs. Default: 50. */
                limit?: number;
                /** @description The value of `next` on the previous page. */
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
                     *           "waiting": [],
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
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field.
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
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
            /** @description The run is recorded. Any server instance continues it automatically. */
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
                     *       "waiting": [],
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
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field.
             *
             *     `invalid_json`: The body is not JSON.
             *
             *     `invalid_experiment`: The definition cannot be run. `problems` lists everything that is wrong, each with its field and a fix, and with its line if the definition was sent as a text.
             *
             *     `unknown_tool`: No tool is registered under this name.
             *
             *     `unknown_model`: No upstream has the model.
             *
             *     `no_model`: No model is specified.
             *
             *     `invalid_run`: This is not a valid name for a run.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
             *     `read_only`: The server only reads its record.
             *
             *     `tool_not_allowed`: The definition contains a tool of its own. A server runs only expressions and the tools that its operator has registered.
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
             * @description `unknown_policy`: There is no policy with this name.
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
            /** @description `body_too_slow`: The client sent the body too slowly, or so slowly that other requests had to wait for the memory that is reserved for it. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `run_exists`: A run with this name already exists. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server accepts, or needs more memory than one tenant may use. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The operation does not accept the content type of the body. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
            /** @description The differences between the runs: definitions by field, prompts by hash, answers by text, tool calls by argument, the environment by value. */
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
                     *           "path": "participants.ann.model.temperature",
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
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    compareOutcomes: {
        parameters: {
            query: {
                /** @description The names of 1 to 100 runs, separated by commas, such as `stand-1,stand-2`. */
                runs: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One row for each run, in the order of the query: why it ended, what it cost, its last values, and the fields of the definition that differ. */
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
                     *           "status": "success",
                     *           "reason": "ten was reached after round 5.",
                     *           "round": 5,
                     *           "models": [
                     *             "gemma3:4b"
                     *           ],
                     *           "spending": {
                     *             "calls": 10,
                     *             "prompt": 900,
                     *             "completion": 120
                     *           },
                     *           "turns": 5,
                     *           "clipped": 0,
                     *           "omitted": 0,
                     *           "shortWindows": 0,
                     *           "final": {
                     *             "total": 10
                     *           },
                     *           "group": 0,
                     *           "differs": {}
                     *         }
                     *       ],
                     *       "fields": [],
                     *       "variables": [
                     *         {
                     *           "name": "total",
                     *           "isNumber": true,
                     *           "changes": true
                     *         }
                     *       ],
                     *       "goals": [
                     *         {
                     *           "name": "ten",
                     *           "kind": "success",
                     *           "variable": "total",
                     *           "sign": "≥",
                     *           "value": 10
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RunOutcomes"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    compareSeries: {
        parameters: {
            query: {
                /** @description The names of 1 to 100 runs, separated by commas, such as `stand-1,stand-2`. */
                runs: string;
                /** @description The names of 1 to 8 variables, separated by commas. */
                variables: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One series for each run and variable. Runs that have no such variable are left out. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "series": [
                     *         {
                     *           "run": "counting-1",
                     *           "variable": "total",
                     *           "points": [
                     *             [
                     *               0,
                     *               0
                     *             ],
                     *             [
                     *               1,
                     *               5
                     *             ]
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RunSeries"];
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
                     *       "waiting": [],
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
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
            /** @description Events, until the run is over or the client disconnects. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example event: board
                     *     data: {"run":"counting-1","name":"counting","seed":1,"status":"running","waiting":[],"limit":100,"began":"2026-11-15T12:00:00.000Z","changed":"2026-11-15T12:00:07.000Z","spending":{"calls":2,"prompt":180,"completion":24},"participants":[{"name":"ann","model":"gemma3:4b","thread":"run/counting-1/ann","spending":{"calls":2,"prompt":180,"completion":24}}],"rounds":[],"environment":{"total":1},"initial":{"total":0},"hidden":0}
                     */
                    "text/event-stream": string;
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
            /** @description The command is recorded. */
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
                     *       "waiting": [],
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
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
             *     `read_only`: The server only reads its record.
             */
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
            /** @description `not_possible`: The state of the run does not allow this. Only a running run can be paused, only a paused run can be resumed, and only a failed or stopped run can be retried. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
            /** @description The command is recorded. */
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
                     *       "waiting": [],
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
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
             *     `read_only`: The server only reads its record.
             */
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
            /** @description `not_possible`: The state of the run does not allow this. Only a running run can be paused, only a paused run can be resumed, and only a failed or stopped run can be retried. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
            /** @description The command is recorded. */
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
                     *       "waiting": [],
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
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
             *     `read_only`: The server only reads its record.
             */
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
            /** @description `not_possible`: The state of the run does not allow this. Only a running run can be paused, only a paused run can be resumed, and only a failed or stopped run can be retried. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
            /** @description The command is recorded. */
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
                     *       "waiting": [],
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
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
             *     `read_only`: The server only reads its record.
             */
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
            /** @description `not_possible`: The state of the run does not allow this. Only a running run can be paused, only a paused run can be resumed, and only a failed or stopped run can be retried. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
                     *       "waiting": [],
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
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field.
             *
             *     `invalid_json`: The body is not JSON.
             *
             *     `invalid_experiment`: The definition cannot be run. `problems` lists everything that is wrong, each with its field and a fix, and with its line if the definition was sent as a text.
             *
             *     `unknown_tool`: No tool is registered under this name.
             *
             *     `unknown_model`: No upstream has the model.
             *
             *     `no_model`: No model is specified.
             *
             *     `invalid_run`: This is not a valid name for a run.
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
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
             *     `read_only`: The server only reads its record.
             *
             *     `tool_not_allowed`: The definition contains a tool of its own. A server runs only expressions and the tools that its operator has registered.
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
             * @description `unknown_policy`: There is no policy with this name.
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
            /** @description `body_too_slow`: The client sent the body too slowly, or so slowly that other requests had to wait for the memory that is reserved for it. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `run_exists`: A run with this name already exists.
             *
             *     `unknown_round`: The run did not reach that round.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server accepts, or needs more memory than one tenant may use. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The operation does not accept the content type of the body. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
            /** @description The models with digest, options and seed, the windows, the policies and the version of the compiler, as they were really used. */
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
                     *               "seeds": [
                     *                 1209447721,
                     *                 417705286
                     *               ],
                     *               "compiler": 1,
                     *               "model": "gemma3:4b",
                     *               "wire": "ollama",
                     *               "facts": {
                     *                 "digest": "a2af6cc3eb7f"
                     *               },
                     *               "options": {
                     *                 "temperature": 0
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
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
            /** @description Everything that is recorded of the run. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
            /** @description All policies. */
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
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
            /** @description The policy is recorded. */
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
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field.
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
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
             *     `read_only`: The server only reads its record.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The client sent the body too slowly, or so slowly that other requests had to wait for the memory that is reserved for it. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `policy_taken`: The name belongs to a preset, or to a policy in the settings of the server. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server accepts, or needs more memory than one tenant may use. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The operation does not accept the content type of the body. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
            /** @description The policy is removed. */
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
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
             *     `read_only`: The server only reads its record.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_policy`: There is no policy with this name. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `policy_taken`: The name belongs to a preset, or to a policy in the settings of the server. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
            /** @description All keys, including revoked ones. */
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
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
             * @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field.
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
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
             *     `read_only`: The server only reads its record.
             *
             *     `foreign_tenant`: Only the operator of the installation can make keys for another tenant.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_slow`: The client sent the body too slowly, or so slowly that other requests had to wait for the memory that is reserved for it. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `key_exists`: A key with this name already exists.
             *
             *     `too_many_keys`: The name has as many keys that end by themselves as it may have.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body_too_long`: The body is longer than the server accepts, or needs more memory than one tenant may use. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_media_type`: The operation does not accept the content type of the body. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
            query?: {
                /** @description Only the key of that name with this SHA-256. Default: every key of that name. */
                sha256?: string;
            };
            header?: never;
            path: {
                /** @description The name of the key. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is revoked. */
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
            /** @description `invalid_request`: A field of the path, the query or the body is missing, unknown or malformed. The message names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The request has no key, or one that the server does not know. */
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
             *     `read_only`: The server only reads its record.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unknown_key`: There is no recorded key with this name. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `configured_key`: The key is in the settings of the server, and can be changed only there. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry. */
            429: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
                    "retry-after"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`: The server failed. Its log contains the cause. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `overloaded`: Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.
             *
             *     `store_unreachable`: The server cannot reach its store.
             */
            503: {
                headers: {
                    /** @description The number of seconds to wait before you try again. */
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
