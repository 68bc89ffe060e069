-- Whose session an epoch is, as well as the capture can tell: credential, else the browser that recorded, in one file or several, else address with user agent, else connection.
-- Spans of clients come from many clients, and do not say which.
-- `strong` keys name one client; an address behind a NAT names many.
select epoch_id,
  case
    when principal is not null then 'p:' || principal || ' ' || coalesce(client_info, '')
    when vantage = 'client' and not is_span then 'h:' || hop || ' ' || coalesce(user_agent, '') || ' ' || coalesce(client_info, '')
    when client is not null then 'a:' || client || ' ' || coalesce(user_agent, '')
    when connection is not null then 'n:' || hop || ' ' || connection
  end as client_key,
  principal is not null or (vantage = 'client' and not is_span) as strong
from epoch
