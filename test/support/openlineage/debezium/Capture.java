import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Captures so many changes of a PostgreSQL by Debezium within this process; its properties begin with `debezium.`. */
public class Capture {
  public static void main(String[] args) throws Exception {
    Properties properties = new Properties();
    System.getProperties().stringPropertyNames().stream().filter(name -> name.startsWith("debezium."))
        .forEach(name -> properties.setProperty(name.substring("debezium.".length()), System.getProperty(name)));
    CountDownLatch changes = new CountDownLatch(Integer.parseInt(args[0]));
    DebeziumEngine<ChangeEvent<String, String>> engine = DebeziumEngine.create(Json.class).using(properties)
        .using((success, message, error) -> {
          System.out.println("ended: " + message + " " + error);
        })
        .notifying(record -> changes.countDown()).build();
    Executors.newSingleThreadExecutor().execute(engine);
    boolean captured = changes.await(4, TimeUnit.MINUTES);
    // Events are sent by a thread of their own.
    Thread.sleep(3000);
    System.exit(captured ? 0 : 1);
  }
}
