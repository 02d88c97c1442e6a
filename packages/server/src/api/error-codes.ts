// Which errors can the API answer with? Each code, its status, and when it happens.

/** The status of an error, and when it happens. */
export interface ErrorFact {
  readonly status: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 429 | 500 | 503
  readonly when: string
}

const facts = {
  unauthorized: { status: 401, when: 'The request has no key, or one that the server does not know.' },
  forbidden: { status: 403, when: 'The scope of the key is too small.' },
  read_only: { status: 403, when: 'The server only reads its record.' },
  not_found: { status: 404, when: 'There is nothing at this address.' },
  wrong_method: { status: 405, when: 'This address does not support this method.' },
  invalid_request: {
    status: 400,
    when: 'A field of the path, the query or the body is missing, unknown or malformed. The message names the field.',
  },
  invalid_json: { status: 400, when: 'The body is not JSON.' },
  body_too_long: {
    status: 413,
    when: 'The body is longer than the server accepts, or needs more memory than one tenant may use.',
  },
  body_too_slow: {
    status: 408,
    when: 'The client sent the body too slowly, or so slowly that other requests had to wait for the memory that is reserved for it.',
  },
  wrong_media_type: { status: 415, when: 'The operation does not accept the content type of the body.' },
  rate_limited: {
    status: 429,
    when: 'The key has sent too many requests in this minute, or runs too many turns at once. The header `retry-after` says when to retry.',
  },
  overloaded: {
    status: 503,
    when: 'Too many turns are waiting, or the running requests use all the memory that the server has for requests. The header `retry-after` says when to retry.',
  },
  store_unreachable: { status: 503, when: 'The server cannot reach its store.' },
  internal: { status: 500, when: 'The server failed. Its log contains the cause.' },
  unknown_thread: { status: 404, when: 'There is no such thread.' },
  thread_exists: { status: 409, when: 'A thread with this name already exists.' },
  invalid_thread: { status: 400, when: 'This is not a valid name for a thread.' },
  run_thread: { status: 409, when: 'The thread belongs to a participant of a run, and only the run may write to it.' },
  invalid_metadata: { status: 400, when: 'The metadata has too many pairs, or one that cannot be kept.' },
  unknown_entry: { status: 404, when: 'The thread has no such entry.' },
  unknown_image: { status: 404, when: 'The entry has no such image, or none that can be shown.' },
  not_pinnable: {
    status: 409,
    when: 'The entry cannot be pinned: it is erased, or no message of a user, a model or a tool.',
  },
  not_ratable: {
    status: 409,
    when: 'The entry cannot be rated: it is erased, or no message of a user, a model or a tool.',
  },
  invalid_feedback: { status: 400, when: 'The comment or a tag cannot be kept.' },
  unknown_turn: { status: 404, when: 'The thread has no such turn.' },
  unknown_call: { status: 404, when: 'The thread has no such model call.' },
  not_waiting: { status: 404, when: 'No tool call with this id waits for a decision on this thread.' },
  already_decided: {
    status: 409,
    when: 'There is a decision about this call already. The first decision counts, and `decided` has it.',
  },
  invalid_decision: { status: 400, when: 'This cannot be decided about this call.' },
  needs_decision: {
    status: 409,
    when: 'A call of the thread needs approval, and only a decision about it can come next, not a result or a message.',
  },
  may_not_approve: { status: 403, when: 'The call needs approval, and this key may not approve calls.' },
  no_calls: { status: 404, when: 'The thread has no recorded model calls.' },
  invalid_call: { status: 400, when: 'The request names both a turn and a receipt.' },
  invalid_range: { status: 400, when: 'The range of time is not one: `from` must be before `to`.' },
  invalid_page: { status: 400, when: 'There is no such page.' },
  invalid_position: { status: 400, when: 'This is not a position of a stream.' },
  busy: {
    status: 409,
    when: 'A turn is running on this thread, and the request neither waits for it nor interrupts it.',
  },
  id_taken: { status: 409, when: 'The id was already used for another message.' },
  nothing_to_answer: { status: 409, when: 'There is no message to answer again.' },
  erased_before: { status: 409, when: 'The same message was erased in this place.' },
  thread_too_large: {
    status: 413,
    when: 'With what the request adds, the thread would be larger than the server allows (`threadLimit`).',
  },
  not_recorded: {
    status: 409,
    when: 'The message was not recorded, because it was withdrawn or because another message was recorded first.',
  },
  malformed_message: { status: 400, when: 'The message cannot be read.' },
  no_model: { status: 400, when: 'No model is specified.' },
  unknown_model: { status: 400, when: 'No upstream has the model.' },
  other_protocol: { status: 409, when: 'The prompt has the form of one protocol, but the model now uses another.' },
  window_too_small: {
    status: 409,
    when: 'The model has a smaller window than the prompt was made for. The field `window` contains both sizes, and whether the model server can load the model with the larger one.',
  },
  unknown_tool: { status: 400, when: 'No tool is registered under this name.' },
  unknown_policy: { status: 404, when: 'There is no policy with this name.' },
  policy_taken: { status: 409, when: 'The name belongs to a preset, or to a policy in the settings of the server.' },
  unknown_state: { status: 404, when: 'No state with this name is configured.' },
  cannot_derive: {
    status: 409,
    when: 'The prompt cannot be derived again, because its counter is not available or because parts of it were erased.',
  },
  corrupt_line: {
    status: 400,
    when: 'A line of the import was changed, or was not written by an export. The message names the line. Nothing was imported.',
  },
  invalid_experiment: {
    status: 400,
    when: 'The definition cannot be run. `problems` lists everything that is wrong, each with its field and a fix, and with its line if the definition was sent as a text.',
  },
  tool_not_allowed: {
    status: 403,
    when: 'The definition contains a tool of its own. A server runs only expressions and the tools that its operator has registered.',
  },
  invalid_run: { status: 400, when: 'This is not a valid name for a run.' },
  run_exists: { status: 409, when: 'A run with this name already exists.' },
  unknown_run: { status: 404, when: 'There is no such run.' },
  unknown_round: { status: 409, when: 'The run did not reach that round.' },
  invalid_fork: { status: 400, when: 'A fork cannot change this.' },
  not_possible: {
    status: 409,
    when: 'The state of the run does not allow this. Only a running run can be paused, only a paused run can be resumed, and only a failed or stopped run can be retried.',
  },
  unknown_key: { status: 404, when: 'There is no recorded key with this name.' },
  invalid_key: { status: 400, when: 'A key cannot have this name, tenant or scope.' },
  foreign_tenant: { status: 403, when: 'Only the operator of the installation can make keys for another tenant.' },
  configured_key: { status: 409, when: 'The key is in the settings of the server, and can be changed only there.' },
  key_exists: { status: 409, when: 'A key with this name already exists.' },
  too_many_keys: { status: 409, when: 'The name has as many keys that end by themselves as it may have.' },
} as const

export type ErrorCode = keyof typeof facts

/** Every error of the API, by its code. An operation names those that it can have. */
export const errorCodes: Readonly<Record<ErrorCode, ErrorFact>> = facts
