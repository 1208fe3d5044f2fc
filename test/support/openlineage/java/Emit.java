import io.openlineage.client.Clients;
import io.openlineage.client.OpenLineage;
import io.openlineage.client.OpenLineage.RunEvent.EventType;
import io.openlineage.client.OpenLineageClient;
import java.net.URI;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.UUID;

/** Emits a START and a COMPLETE of each of some runs by the OpenLineage client of Java, set up by its environment alone. */
public class Emit {
  private static final String WAREHOUSE = "postgres://warehouse.example:5432";

  public static void main(String[] args) throws Exception {
    var namespace = args[0];
    var count = Integer.parseInt(args[1]);
    var ol = new OpenLineage(URI.create("https://shop.example"));
    try (OpenLineageClient client = Clients.newClient()) {
      for (int at = 0; at < count; at++) {
        var run = ol.newRunBuilder().runId(UUID.randomUUID()).build();
        var job = ol.newJobBuilder().namespace(namespace).name("daily.totals" + at)
            .facets(ol.newJobFacetsBuilder().sql(ol.newSQLJobFacetBuilder().query("SELECT 1").build()).build())
            .build();
        for (var type : List.of(EventType.START, EventType.COMPLETE)) {
          client.emit(ol.newRunEventBuilder().eventType(type).eventTime(ZonedDateTime.now()).run(run).job(job)
              .inputs(List.of(ol.newInputDatasetBuilder().namespace(WAREHOUSE).name("shop.public.orders").build()))
              .outputs(List.of(totals(ol))).build());
        }
      }
    }
  }

  private static OpenLineage.OutputDataset totals(OpenLineage ol) {
    var fields = List.of(ol.newSchemaDatasetFacetFieldsBuilder().name("total").type("numeric").build());
    var from = ol.newInputFieldBuilder().namespace(WAREHOUSE).name("shop.public.orders").field("price").build();
    var columns = ol.newColumnLineageDatasetFacetFieldsBuilder()
        .put("total", ol.newColumnLineageDatasetFacetFieldsAdditionalBuilder().inputFields(List.of(from)).build())
        .build();
    return ol.newOutputDatasetBuilder().namespace(WAREHOUSE).name("shop.public.totals")
        .facets(ol.newDatasetFacetsBuilder()
            .schema(ol.newSchemaDatasetFacetBuilder().fields(fields).build())
            .columnLineage(ol.newColumnLineageDatasetFacetBuilder().fields(columns).build())
            .build())
        .build();
  }
}
