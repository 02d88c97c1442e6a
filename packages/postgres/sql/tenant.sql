-- Whose rows this transaction may see, and how long it may take. Postgres may not notice a
-- lost client, so an idle transaction would keep its locks.
select set_config('minutebook.tenant', $1, true), set_config('statement_timeout', $2, true), set_config('lock_timeout', $3, true),
  set_config('idle_in_transaction_session_timeout', $2, true)
