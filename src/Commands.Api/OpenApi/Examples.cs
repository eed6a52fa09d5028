using System.Text.Json.Nodes;
using Microsoft.OpenApi;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>A body for each schema that has one, as the seeded shop takes or gives it.</summary>
internal static class Examples
{
    /// <summary>A part of the page of metrics.</summary>
    public static string Metrics { get; } =
        "# HELP apexshop_outbox_age_seconds How long the oldest of them has waited.\n# TYPE apexshop_outbox_age_seconds gauge\napexshop_outbox_age_seconds 0\n";

    /// <summary>The first records of a line of server-sent events.</summary>
    public static JsonNode Record => "retry: 2000\nid: 0\n\nid: 1\nevent: apexshop.category.created\ndata: " + bodies["Event"] + "\n\n";

    private static readonly Dictionary<string, string> bodies = new(StringComparer.Ordinal)
    {
        ["ProductInput"] = """{"name":"Walnut desk","description":"Two drawers","price":249.50,"stock":12,"categoryId":1,"isActive":true,"isFeatured":false}""",
        ["CategoryInput"] = """{"name":"Desks","description":"To work at","isActive":true}""",
        ["CreateOrder"] = """{"userId":1,"shippingAddress":"1 Analytical Street, London","items":[{"productId":1,"quantity":2}]}""",
        ["UpdateOrder"] = """{"status":"Processing","shippingAddress":"1 Analytical Street, London","trackingNumber":null}""",
        ["UserInput"] = """{"email":"ada@example.com","firstName":"Ada","lastName":"Lovelace","phoneNumber":"+44 20 7946 0958","password":"correct horse battery","isActive":true}""",
        ["SeedShop"] = """{"scale":1}""",
        ["SetStockByCategory"] = """{"categoryId":1,"delta":10}""",
        ["CategoryInputItem"] = """{"id":1,"name":"Desks and tables","description":"To work and to eat at","isActive":true}""",
        ["ProductInputItem"] = """{"id":1,"version":1,"name":"Walnut desk","description":"Three drawers","price":279.50,"stock":12,"categoryId":1,"isActive":true,"isFeatured":true}""",
        ["ReviewInputReplacement"] = """{"rating":4,"comment":"Solid, one drawer sticks"}""",
        ["ReviewInputItem"] = """{"id":1,"rating":4,"comment":"Solid, one drawer sticks"}""",
        ["ReviewInput"] = """{"productId":1,"userId":1,"rating":5,"comment":"Solid"}""",
        ["UserInputItem"] = """{"id":1,"email":"ada@example.com","firstName":"Ada","lastName":"King","isActive":true}""",
        ["BulkCreated"] = """{"count":2,"ids":[17,18]}""",
        ["BulkReplaced"] = """{"count":2,"items":[{"id":17,"version":2},{"id":18,"version":5}]}""",
        ["ChunkDone"] = """{"chunk":0,"first":0,"count":2,"items":[{"id":17,"version":2},{"id":18,"version":5}],"consistencyToken":"MSBwcm9kdWN0cy4xOC41"}""",
        ["ChangedRows"] = """{"changed":12}""",
        ["DeletedRows"] = """{"deleted":12}""",
        ["RemovedRows"] = """{"deleted":1,"notFound":[18]}""",
        ["Saved"] = """{"id":17,"version":1}""",
        ["BucketChecksum"] = """{"bucket":0,"count":499,"checksum":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}""",
        ["AggregateCheck"] = """{"id":17,"version":3,"checksum":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","position":4711,"loggedVersion":3,"isDeleted":false,"isWaiting":false}""",
        ["AuditProgress"] = """{"kind":"progress","resource":"products","compared":5000,"differences":1}""",
        ["ProjectionStatus"] = """{"epoch":1,"positions":{"categories":12,"orders":4711,"products":4705,"reviews":4709,"users":3120},"parkedAggregates":0,"parkedEvents":0,"deadLetters":0,"logBreak":null}""",
        ["RebuildStatus"] = """{"state":"done","phase":"switching","cause":"An operator asked for it.","documents":{"products":{"done":15003,"total":15003,"before":15000,"differing":2,"examples":[17,4711]}},"position":47519,"seconds":4.2,"startedAt":"2026-11-20T09:30:00Z","failure":null,"parkedAggregates":0,"canRollBack":true}""",
        ["RebuiltDocuments"] = """{"done":15003,"total":15003,"before":15000,"differing":2,"examples":[17,4711]}""",
        ["PipelineStatus"] = """{"log":{"state":"ok","leader":"this","outbox":0,"outboxAgeSeconds":0,"head":4714,"published":4714,"positions":{"categories":12,"orders":4711,"products":4714,"reviews":4709,"users":3120}},"projection":{"state":"ok","processes":[{"url":"http://projector:8080/","state":"ok","reason":null}],"status":{"epoch":1,"positions":{"categories":12,"orders":4711,"products":4705,"reviews":4709,"users":3120},"parkedAggregates":0,"parkedEvents":0,"deadLetters":0,"logBreak":null},"queueDepth":1,"lagEvents":3,"lagSeconds":0.012,"lag":{"categories":{"events":0,"seconds":0},"orders":{"events":0,"seconds":0},"products":{"events":3,"seconds":0.012},"reviews":{"events":0,"seconds":0},"users":{"events":0,"seconds":0}},"visible":[{"seconds":0.01,"changes":4200},{"seconds":0.025,"changes":4700},{"seconds":null,"changes":4711}],"rebuild":{"state":"done","phase":"switching","cause":"An operator asked for it.","done":15003,"total":15003,"seconds":4.2,"failure":null}},"cache":{"state":"ok","memoryHitRatio":0.9,"redisHitRatio":0.06,"processes":[{"url":"http://queries:8080/","state":"ok","reason":null,"counts":{"memoryHits":900,"redisHits":60,"misses":40}}]}}""",
        ["AggregateHeal"] = """{"resource":"products","id":17,"outcome":"written","version":4,"unparked":2,"reason":null}""",
        ["ParkedList"] = """{"items":[{"resource":"products","id":17,"events":2,"firstPosition":4705,"lastPosition":4712,"since":"2026-11-20T08:00:00.2Z","reason":"numeric field overflow"}],"next":null}""",
        ["ParkedEvents"] = """{"resource":"products","id":17,"documentVersion":2,"events":[{"position":4705,"parkedAt":"2026-11-20T08:00:00.2Z","reason":"A part of the data is null.","event":{"specversion":"1.0","id":"019e9f0a-6f0e-7cc3-98c4-dc0c0c07398f","source":"/apexshop","type":"apexshop.product.updated","subject":"products/17","time":"2026-11-20T08:00:00.123456Z","sequence":"0000000000000004705","previous":"0000000000000004704","datacontenttype":"application/json","data":{"id":17,"version":3}}}],"next":null}""",
        ["ParkedReplay"] = """{"resource":"products","id":17,"dryRun":false,"applied":2,"left":0,"versionBefore":2,"versionAfter":4,"reason":null,"events":[{"position":4705,"type":"apexshop.product.updated","version":3,"outcome":"applied","reason":null},{"position":4712,"type":"apexshop.product.updated","version":4,"outcome":"applied","reason":null}]}""",
        ["ParkedReplays"] = """{"dryRun":false,"applied":2,"left":0,"items":[{"resource":"products","id":17,"dryRun":false,"applied":2,"left":0,"versionBefore":2,"versionAfter":4,"reason":null}],"next":null}""",
        ["ParkedDiscard"] = """{"resource":"products","id":17,"events":2,"documentVersion":2,"lostVersion":4,"lost":"The document of products/17 stays at version 2. What the discarded events said shows with the next event of the aggregate, or when it is healed from the log."}""",
        ["DeadLetterList"] = """{"items":[{"id":1,"receivedAt":"2026-11-20T08:00:00.2Z","lastReceivedAt":"2026-11-20T08:00:00.2Z","times":1,"reason":"A batch is a JSON array.","bytes":8,"excerpt":"not json"}],"next":null}""",
        ["DeadLetter"] = """{"id":1,"receivedAt":"2026-11-20T08:00:00.2Z","lastReceivedAt":"2026-11-20T08:00:00.2Z","times":1,"reason":"A batch is a JSON array.","bytes":8,"contentType":"application/cloudevents-batch+json","encoding":"utf-8","body":"not json","isWhole":true}""",
        ["DeadLetterReplay"] = """{"id":1,"dryRun":false,"outcome":"refused","resource":null,"events":0,"repeated":0,"reason":"A batch is a JSON array."}""",
        ["DeadLetterReplays"] = """{"dryRun":false,"applied":1,"refused":0,"items":[{"id":1,"dryRun":false,"outcome":"applied","resource":"products","events":3,"repeated":2,"reason":null}],"next":null}""",
        ["SeedShopLine"] = """{"kind":"products","done":2500,"total":15000}""",
        ["Event"] = """{"specversion":"1.0","id":"019e9f0a-6f0e-7cc3-98c4-dc0c0c07398f","source":"/apexshop","type":"apexshop.category.created","subject":"categories/1","time":"2026-11-20T08:00:00.123456Z","sequence":"0000000000000000001","previous":"0000000000000000000","datacontenttype":"application/json","data":{"id":1,"name":"Desks","description":null,"isActive":true,"createdDate":"2026-11-20T08:00:00.123456Z","version":1}}""",
        ["GetLimitsView"] = """{"limits":[{"name":"bulkItems","value":1000,"unit":"items","beyond":"413 bulk.too_many"}]}""",
    };

    // A replacement is at least the second version.
    public static JsonNode? OfAnswer(IOpenApiSchema? schema, string method)
    {
        var body = OfBody(schema);
        if (method == "PUT" && body is JsonObject saved && saved.ContainsKey("version")) saved["version"] = 2;
        return body;
    }

    public static JsonNode? OfBody(IOpenApiSchema? schema) => schema switch
    {
        OpenApiSchemaReference { Reference.Id: { } name } => Of(name),
        OpenApiSchema { Items: OpenApiSchemaReference { Reference.Id: { } item } } => Of(item) is { } one ? new JsonArray(one) : null,
        OpenApiSchema { Items: { Type: JsonSchemaType.Integer } id } => new JsonArray(OfBody(id)),
        OpenApiSchema { Type: JsonSchemaType.Integer } => 17,
        OpenApiSchema { AnyOf: [var first, ..] } => OfBody(first),
        _ => null,
    };

    public static JsonNode? OfLines(IOpenApiSchema line) => OfBody(line)?.ToJsonString() is { } text ? JsonValue.Create(text + "\n") : null;

    private static JsonNode? Of(string name) => bodies.TryGetValue(name, out var json) ? JsonNode.Parse(json) : null;
}
