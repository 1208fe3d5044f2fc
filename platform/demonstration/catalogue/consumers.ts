import { dataset, group, item, type Source, transformer } from "./items.ts";
import { marts, metricsMarts } from "./marts.ts";
import { martTable } from "./warehouse.ts";

const tableau = "//tableau/host/bi.harbour.example/sites/harbour";
const mlflow = "//mlflow/host/ml.harbour.example";
const kafka = "//kafka/host/events.harbour.example";

/** CATRN of a dashboard. */
export const dashboard = (name: string): string =>
  `${tableau}/dashboards/${name.toLowerCase().replaceAll(" ", "_")}`;

export function dashboards(): Source {
  const readers = new Map<string, string[]>();
  for (const mart of [...marts, ...metricsMarts]) {
    for (const name of mart.dashboards) {
      readers.set(name, [...readers.get(name) ?? [], martTable(mart.name)]);
    }
  }
  const items = [...readers].map(([name, inputs]) =>
    item(dashboard(name), name, "DASHBOARD", {
      description: `Dashboard ${name}`,
      tags: name === "Board pack" ? ["certified"] : [],
    }, { data_consumer: { inputs } })
  );
  return { catrn: tableau, name: "Tableau", description: "Dashboards", items };
}

/** The churn experiment: training runs and the model in use. */
export function experiments(): Source {
  const training = (n: number) => `${mlflow}/experiments/churn/runs/${n}`;
  const scores = `${mlflow}/feature_groups/churn_scores`;
  const trainings = [1, 2, 3].map((n) =>
    item(training(n), `churn training ${n}`, "ML_MODEL_TRAINING", {
      metadata: { auc: 0.71 + n / 50, depth: n + 3, features: 14 },
    }, transformer([martTable("mrt_churn_features")], n === 3 ? [scores] : []))
  );
  const featureGroup = item(scores, "churn_scores", "FEATURE_GROUP", {
    description: "Probability that a customer leaves, by day",
  }, dataset(scores, [["customer_id", "TYPE_INTEGER"], ["score", "TYPE_NUMBER"]], 913_204));
  const experiment = item(`${mlflow}/experiments/churn`, "churn", "ML_EXPERIMENT", {
    description: "Who is about to leave",
  }, group([...trainings.map((t) => String(t.catrn)), scores]));
  return {
    catrn: mlflow,
    name: "MLflow",
    description: "Experiments and models",
    items: [...trainings, featureGroup, experiment],
  };
}

const topics: Record<string, string> = {
  "orders.placed": "An order was placed",
  "payments.settled": "A payment was settled",
  "shipments.updated": "A parcel moved",
};
const topic = (name: string) => `${kafka}/topics/${name}`;

export function events(): Source {
  const items = Object.entries(topics).map(([name, description]) =>
    item(
      topic(name),
      name,
      "KAFKA_TOPIC",
      { description },
      dataset(topic(name), [
        ["key", "TYPE_STRING"],
        ["value", "TYPE_STRUCT"],
      ]),
    )
  );
  const cluster = item(kafka, "events", "KAFKA_SERVICE", {}, group(Object.keys(topics).map(topic)));
  return { catrn: kafka, name: "Event bus", description: "Kafka", items: [...items, cluster] };
}
