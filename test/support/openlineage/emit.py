"""Emits events by the OpenLineage client of Python, set up by its environment alone; as many runs as are asked for."""
import sys
from datetime import datetime, timezone

from openlineage.client import OpenLineageClient
from openlineage.client.event_v2 import DatasetEvent, InputDataset, Job, JobEvent, OutputDataset, Run, RunEvent, RunState, StaticDataset
from openlineage.client.facet_v2 import column_lineage_dataset, documentation_job, nominal_time_run, output_statistics_output_dataset, parent_run, schema_dataset, sql_job
from openlineage.client.uuid import generate_new_uuid

warehouse = "postgres://warehouse.example:5432"
namespace, count = sys.argv[1], int(sys.argv[2])
client = OpenLineageClient()


def now():
    return datetime.now(timezone.utc).isoformat()


schema = schema_dataset.SchemaDatasetFacet(
    fields=[schema_dataset.SchemaDatasetFacetFields(name="total", type="numeric", description="Of a day")])
columns = column_lineage_dataset.ColumnLineageDatasetFacet(fields={
    "total": column_lineage_dataset.Fields(inputFields=[
        column_lineage_dataset.InputField(namespace=warehouse, name="shop.public.orders", field="price")])})
parent = parent_run.ParentRunFacet(
    run=parent_run.Run(runId=str(generate_new_uuid())),
    job=parent_run.Job(namespace=namespace, name="daily"))

for at in range(count):
    run = Run(runId=str(generate_new_uuid()), facets={
        "parent": parent,
        "nominalTime": nominal_time_run.NominalTimeRunFacet(nominalStartTime=now())})
    job = Job(namespace=namespace, name=f"daily.totals{at}", facets={
        "sql": sql_job.SQLJobFacet(query="INSERT INTO totals SELECT sum(price) FROM orders"),
        "documentation": documentation_job.DocumentationJobFacet(description="Totals")})
    inputs = [InputDataset(namespace=warehouse, name="shop.public.orders")]
    outputs = [OutputDataset(
        namespace=warehouse, name="shop.public.totals",
        facets={"schema": schema, "columnLineage": columns},
        outputFacets={"outputStatistics": output_statistics_output_dataset.OutputStatisticsOutputDatasetFacet(rowCount=7, size=90)})]
    for state in (RunState.START, RunState.COMPLETE):
        client.emit(RunEvent(eventType=state, eventTime=now(), run=run, job=job, producer="https://shop.example", inputs=inputs, outputs=outputs))

client.emit(JobEvent(eventTime=now(), job=Job(namespace=namespace, name="declared"), producer="https://shop.example", inputs=[], outputs=[]))
client.emit(DatasetEvent(eventTime=now(), producer="https://shop.example",
                         dataset=StaticDataset(namespace=warehouse, name="shop.public.totals", facets={"schema": schema})))
if not client.close(timeout=30.0):
    sys.exit("the client gave events up")
