import io.openlineage.flink.OpenLineageFlinkJobListener;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.JobListener;
import org.apache.flink.runtime.client.JobCancellationException;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Copies records of one topic into another on a cluster within this process, until its input ends: then it is cancelled. */
public class Copy {
  public static void main(String[] args) throws Exception {
    String brokers = args[0], from = args[1], into = args[2], namespace = args[3];
    Configuration configuration = new Configuration();
    System.getProperties().stringPropertyNames().stream().filter(name -> name.startsWith("openlineage."))
        .forEach(name -> configuration.setString(name, System.getProperty(name)));
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    environment.setParallelism(1);
    environment.enableCheckpointing(1000);
    KafkaSource<String> source = KafkaSource.<String>builder()
        .setBootstrapServers(brokers).setTopics(from).setGroupId("flink-" + from)
        .setStartingOffsets(OffsetsInitializer.earliest())
        .setValueOnlyDeserializer(new SimpleStringSchema()).build();
    KafkaSink<String> sink = KafkaSink.<String>builder()
        .setBootstrapServers(brokers)
        .setRecordSerializer(KafkaRecordSerializationSchema.builder()
            // By a selector: the listener does not read the constant one of this version of the connector.
            .setTopicSelector(record -> into).setValueSerializationSchema(new SimpleStringSchema()).build())
        .build();
    environment.fromSource(source, WatermarkStrategy.noWatermarks(), "orders").sinkTo(sink).name("copies");
    environment.registerJobListener(OpenLineageFlinkJobListener.builder()
        .executionEnvironment(environment).jobName("copy").jobNamespace(namespace).build());
    Submitted submitted = new Submitted();
    environment.registerJobListener(submitted);
    new Thread(() -> cancelAtEndOfInput(submitted.job)).start();
    try {
      // Attached: of a job that is only submitted the listener does not learn how it ends.
      environment.execute("copy");
    } catch (JobCancellationException cancelled) {
      System.exit(0);
    }
    throw new IllegalStateException("the job ended without being cancelled");
  }

  private static void cancelAtEndOfInput(CompletableFuture<JobClient> job) {
    try {
      while (System.in.read() >= 0) {
        // Only its end matters.
      }
    } catch (IOException unreadable) {
      // As good as its end.
    }
    job.thenCompose(JobClient::cancel).join();
  }

  private static class Submitted implements JobListener {
    final CompletableFuture<JobClient> job = new CompletableFuture<>();

    @Override
    public void onJobSubmitted(JobClient client, Throwable failure) {
      if (client != null) job.complete(client);
    }

    @Override
    public void onJobExecuted(JobExecutionResult result, Throwable failure) {}
  }
}
