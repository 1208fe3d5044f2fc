select id, customer, net + tax as total from {{ ref('raw_orders') }}
