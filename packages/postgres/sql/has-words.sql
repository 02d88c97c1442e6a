select to_regclass('minutebook.word') is not null as there
