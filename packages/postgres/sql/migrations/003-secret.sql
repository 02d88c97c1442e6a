-- What only those who may read this table know. Notifications go to every login of the database that listens: their channels are
-- named, and their messages sealed, with the secret of the name `notification`.

create table minutebook.secret (
  name text collate "C" primary key,
  value bytea not null
);

alter table minutebook.secret alter value set statistics 0;

-- Also if the defaults of this database let everybody read.
revoke all on minutebook.secret from public;

-- Each of the two has 122 bits of Postgres's own strong randomness.
insert into minutebook.secret (name, value)
values ('notification', sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')));
