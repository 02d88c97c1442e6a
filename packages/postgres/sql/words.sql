-- What is searched for, as the policy of the words reads it: for this transaction only.
select set_config('minutebook.words', $1, true)
