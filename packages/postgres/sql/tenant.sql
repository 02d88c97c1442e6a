select set_config('minutebook.tenant', $1, true)
