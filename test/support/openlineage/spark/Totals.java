import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.sum;

import org.apache.spark.sql.SparkSession;

/** Sums the paid orders of a CSV file by day, into a Parquet file; how it is observed is up to its properties. */
public class Totals {
  public static void main(String[] args) {
    try (SparkSession spark = SparkSession.builder().master("local[1]").appName("daily totals").getOrCreate()) {
      spark.read().option("header", "true").csv(args[0])
          .filter(col("state").equalTo("paid"))
          .groupBy(col("day"))
          .agg(sum(col("price").cast("decimal(10,2)")).as("total"))
          .write().parquet(args[1]);
    }
  }
}
