import io.openlineage.flink.OpenLineageFlinkJobListener;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Copies records of one topic into another on a cluster within this process, until `seconds` are over. */
public class Copy {
  public static void main(String[] args) throws Exception {
    String brokers = args[0], from = args[1], into = args[2], namespace = args[3];
    long seconds = Long.parseLong(args[4]);
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
    var job = environment.executeAsync("copy");
    Thread.sleep(seconds * 1000);
    job.cancel().get();
    // The listener sends the last event from a thread of its own.
    Thread.sleep(5000);
    System.exit(0);
  }
}
