using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization.Metadata;
using ApexShop.TestKit.OpenApi;

namespace ApexShop.Client.Tests;

/// <summary>The client has every member, parameter and value of the OpenAPI documents, and no others.</summary>
[Collection(ClientShop.Suite)]
public sealed class DescriptionTests(ClientShop running)
{
    // Only the event feed and the live feed send these.
    private static readonly string[] ofEvents = ["logId", "commonUpTo", "head", "removedUpTo"];

    // Arguments of the methods.
    private static readonly string[] ofPages = ["after", "before", "afterId", "pageSize", "fields"];

    [Fact]
    public async Task Documents_are_those_of_the_query_API()
    {
        var api = await ApiDescription.ReadAsync(running.Shop.Queries.Http);
        Compare<Page<Product>>(api, "ProductSlice");
        Compare<Page<Category>>(api, "CategorySlice");
        Compare<Page<Order>>(api, "OrderSlice");
        Compare<Page<Review>>(api, "ReviewSlice");
        Compare<Page<User>>(api, "UserSlice");
        Compare<Batch<Product>>(api, "ProductBatch");
        Compare<ProductFacets>(api, "ProductFacets");
        Compare<SearchSuggestions>(api, "SearchSuggestions");
    }

    [Fact]
    public async Task Queries_have_the_parameters_of_the_lists()
    {
        var api = await ApiDescription.ReadAsync(running.Shop.Queries.Http);
        CompareQuery<ProductQuery>(api, "ListProductsAfter");
        CompareQuery<CategoryQuery>(api, "ListCategoriesAfter");
        CompareQuery<OrderQuery>(api, "ListOrdersAfter");
        CompareQuery<ReviewQuery>(api, "ListReviewsAfter");
        CompareQuery<UserQuery>(api, "ListUsersAfter");
    }

    [Fact]
    public async Task Inputs_and_results_are_those_of_the_command_API()
    {
        var api = await ApiDescription.ReadAsync(running.Shop.Commands.Http);
        Compare<ProductInput>(api, "ProductInput");
        Compare<ProductReplacement>(api, "ProductInputReplacement");
        Compare<ProductItem>(api, "ProductInputItem");
        Compare<CategoryInput>(api, "CategoryInput");
        Compare<CategoryItem>(api, "CategoryInputItem");
        Compare<OrderInput>(api, "CreateOrder");
        Compare<OrderReplacement>(api, "UpdateOrder");
        Compare<ReviewInput>(api, "ReviewInput");
        Compare<ReviewReplacement>(api, "ReviewInputReplacement");
        Compare<ReviewItem>(api, "ReviewInputItem");
        Compare<UserInput>(api, "UserInput");
        Compare<UserItem>(api, "UserInputItem");
        Compare<StockInput>(api, "SetStock");
        Compare<CategoryStockInput>(api, "SetStockByCategory");
        Compare<SessionInput>(api, "CreateSession");
        Compare<CustomerToken>(api, "CustomerToken");
        Compare<BulkCreated>(api, "BulkCreated");
        Compare<BulkReplaced>(api, "BulkReplaced");
        Compare<RemovedRows>(api, "RemovedRows");
        Compare<ChangedRows>(api, "ChangedRows");
        Compare<DeletedRows>(api, "DeletedRows");
        Compare<ChunkLine>(api, "ChunkDone", "ChunkRefused", "ChunkSummary");
        Compare<ShopProblem>(api, "Problem");
    }

    [Fact]
    public async Task A_member_that_one_side_lacks_is_found()
    {
        var api = await ApiDescription.ReadAsync(running.Shop.Queries.Http);
        api.Resolve(api.Json["components"]!["schemas"]!["Product"]!)["properties"]!["weight"] =
            new JsonObject { ["type"] = "integer" };
        Should.Throw<ShouldAssertException>(() => Compare<Page<Product>>(api, "ProductSlice"));
        Should.Throw<ShouldAssertException>(() => Compare<Batch<Category>>(api, "UserBatch"));
    }

    private static void Compare<T>(ApiDescription api, params string[] schemas) =>
        Compare(
            api, ShopJson.Of<T>(), [.. schemas.Select(name => api.Json["components"]!["schemas"]![name]!)],
            typeof(T).Name);

    private static void CompareQuery<T>(ApiDescription api, string operation)
    {
        var schema = new JsonObject();
        var described = api.Operations.Single(one => one.Id == operation && one.Method == "GET");
        foreach (var parameter in described.Parameters)
        {
            var name = (string)parameter["name"]!;
            if ((string?)parameter["in"] == "query" && !ofPages.Contains(name))
                schema[name] = parameter["schema"]!.DeepClone();
        }

        Compare(api, ShopJson.Of<T>(), [new JsonObject { ["properties"] = schema }], operation);
    }

    private static void Compare(ApiDescription api, JsonTypeInfo type, List<JsonNode> schemas, string path)
    {
        var resolved = schemas.Select(schema => api.Resolve(schema)).ToList();
        switch (type.Kind)
        {
            case JsonTypeInfoKind.Object:
                var members = resolved.SelectMany(schema => schema["properties"]!.AsObject())
                    .Where(member => !ofEvents.Contains(member.Key))
                    .ToLookup(member => member.Key, member => member.Value!);
                type.Properties.Select(member => member.Name).ShouldBe(
                    members.Select(member => member.Key), ignoreOrder: true, path);
                foreach (var member in type.Properties)
                    Compare(api, TypeOf(member.PropertyType), [.. members[member.Name]], $"{path}.{member.Name}");
                break;
            case JsonTypeInfoKind.Enumerable:
                Compare(api, TypeOf(type.ElementType!), [resolved[0]["items"]!], $"{path}[]");
                break;
            case var _ when type.Type.IsEnum && resolved[0]["enum"] is JsonArray values:
                Enum.GetValuesAsUnderlyingType(type.Type).Cast<object>()
                    .Select(value => JsonSerializer.SerializeToNode(Enum.ToObject(type.Type, value), type)!.ToString())
                    .ShouldBe(values.Select(value => (string)value!), ignoreOrder: true, path);
                break;
        }
    }

    private static JsonTypeInfo TypeOf(Type type) =>
        ShopJson.Default.GetTypeInfo(Nullable.GetUnderlyingType(type) ?? type)
        ?? throw new InvalidOperationException($"{type} is not in the context.");
}
