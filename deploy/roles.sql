-- Run once, by the image of Postgres, as its superuser, when the database is made. Two roles, so that instances can do no more than
-- they need: the owner makes the tables (minutebook migrate), the app reads and writes them. Row-level security binds both.
\set ON_ERROR_STOP on
\getenv owner_password OWNER_PASSWORD
\getenv app_password APP_PASSWORD

create role minutebook_owner login nosuperuser nobypassrls nocreatedb nocreaterole noreplication password :'owner_password';
create role minutebook_app login nosuperuser nobypassrls nocreatedb nocreaterole noreplication password :'app_password';

-- Nobody else is let in: every login of a database could take its connections and locks.
revoke connect, temporary on database :"DBNAME" from public;
grant connect, create on database :"DBNAME" to minutebook_owner;
grant connect on database :"DBNAME" to minutebook_app;
