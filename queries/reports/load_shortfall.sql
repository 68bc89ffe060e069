-- Where failures were seen and no common cause is claimed: how much evidence is missing.
select distinct sentence from load_shortfall order by sentence
