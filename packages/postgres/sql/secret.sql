select value from minutebook.secret where name = $1
