select verdict, count(*) as resumes from resume group by verdict order by verdict
