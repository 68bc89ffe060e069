-- Exchanges that are views of one HTTP exchange.
-- Four rounds of least labels: chains of client, HTTP, gateway, HTTP and server spans are joined from both ends.
with shared as (select exchange_id, link_key from link_key where level = 'request'),
round1_key as (select link_key, min(exchange_id) as label from shared group by link_key),
round1 as (select s.exchange_id, min(k.label) as label from shared s join round1_key k on k.link_key = s.link_key group by s.exchange_id),
round2_key as (select s.link_key, min(r.label) as label from shared s join round1 r on r.exchange_id = s.exchange_id group by s.link_key),
round2 as (select s.exchange_id, min(k.label) as label from shared s join round2_key k on k.link_key = s.link_key group by s.exchange_id),
round3_key as (select s.link_key, min(r.label) as label from shared s join round2 r on r.exchange_id = s.exchange_id group by s.link_key),
round3 as (select s.exchange_id, min(k.label) as label from shared s join round3_key k on k.link_key = s.link_key group by s.exchange_id),
round4_key as (select s.link_key, min(r.label) as label from shared s join round3 r on r.exchange_id = s.exchange_id group by s.link_key)
select s.exchange_id, min(k.label) as label from shared s join round4_key k on k.link_key = s.link_key group by s.exchange_id
