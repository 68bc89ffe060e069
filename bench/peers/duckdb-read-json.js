import { DuckDBInstance } from '@duckdb/node-api';

// What one would write by hand: DuckDB reads the lines and unnests the spans.
const path = process.argv[2].replaceAll("'", "''");
const instance = await DuckDBInstance.create(':memory:');
const connection = await instance.connect();
const result = await connection.runAndReadAll(
  `select count(span.spanId) from (
     select unnest(scope.spans) as span from (
       select unnest(res.scopeSpans) as scope from (
         select unnest(resourceSpans) as res from read_json('${path}', format = 'newline_delimited', maximum_object_size = 67108864))))`,
);
console.log(result.getRows()[0]?.[0]);
