-- The role of this connection, and the tables of tenants in which row-level security does not bind it: as a superuser, by its
-- BYPASSRLS, or as an owner who took the force off.
select rolname as name, rolsuper as "isSuperuser", rolbypassrls as "bypassesRowSecurity", array(
  select relname::text from pg_class
  where relnamespace = to_regnamespace('minutebook') and relkind in ('r', 'p')
    and exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'tenant' and not attisdropped)
    and not row_security_active(pg_class.oid)
  order by 1
) as unguarded
from pg_roles where rolname = current_user
