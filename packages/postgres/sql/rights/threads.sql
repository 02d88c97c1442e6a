-- What a role needs to run threads: neither to change nor to remove an entry or an image.
grant usage on schema minutebook to app;
grant select on minutebook.migration to app;
grant select on minutebook.secret to app;
grant select, insert, update on minutebook.thread, minutebook.figure to app;
grant select, insert on minutebook.entry, minutebook.image, minutebook.word to app;
grant select, insert, update, delete on minutebook.snapshot, minutebook.record to app;
grant select, insert, delete on minutebook.segment, minutebook.piece to app;
