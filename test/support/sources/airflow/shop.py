import pendulum
from airflow.sdk import DAG, Asset
from airflow.providers.standard.operators.python import PythonOperator

orders = Asset("s3://lake/raw/orders")
table = Asset("postgres://db.example:5432/shop/public/orders")
report = Asset("x-report://daily/revenue")


def nothing():
    pass


def fails():
    raise RuntimeError("broken")


with DAG(
    "shop_load", schedule="0 5 * * *", start_date=pendulum.datetime(2026, 1, 1), catchup=False,
    description="Loads the orders of the shop", tags=["daily", "shop"], is_paused_upon_creation=True,
    default_args={"owner": "Data Platform"},
):
    extract = PythonOperator(task_id="extract", python_callable=nothing, outlets=[orders], doc_md="Takes orders out of the shop")
    load = PythonOperator(task_id="load", python_callable=nothing, outlets=[table])
    extract >> load >> PythonOperator(task_id="check", python_callable=nothing, owner="ana")

with DAG("shop_report", schedule=[table], start_date=pendulum.datetime(2026, 1, 1)):
    PythonOperator(task_id="draw", python_callable=nothing, outlets=[report])

with DAG("empty.dag-1", schedule=None, start_date=pendulum.datetime(2026, 1, 1)):
    pass
