-- Only of use to a role that row-level security does not bind.
select min(tenant) as first, max(tenant) as last from minutebook.thread where length > 0
