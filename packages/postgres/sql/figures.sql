select $from::integer + (hour - $from) / $step::integer * $step as first, model, key, {summed-figures}
from minutebook.figure where tenant = $tenant and hour >= $from and hour < $to::integer
group by 1, 2, 3 order by 1
