select customer, sum(total) as total from {{ ref('orders') }} group by customer
