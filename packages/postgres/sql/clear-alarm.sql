delete from {table} where queue = $queue and at = $at and tenant = $tenant and thread = $thread
