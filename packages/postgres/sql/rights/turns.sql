-- What a role needs to run turns on several instances.
grant usage on schema minutebook_turns to app;
grant select, insert, update, delete on all tables in schema minutebook_turns to app;
