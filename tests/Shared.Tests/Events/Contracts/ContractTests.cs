using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Nodes;
using ApexShop.Events;

namespace ApexShop.Shared.Tests.Events.Contracts;

/// <summary>
/// Compares the event contracts with all their published versions in golden/contracts. A breaking change fails with its
/// reason. An addition needs a new version:
/// <c>APEXSHOP_WRITE_CONTRACTS=1 ./apexshop test Contracts</c>.
/// </summary>
public sealed class ContractTests
{
    private const string Types = "types";
    private const string NowRequired =
        " is now required: old events do not have it; make it nullable or give it a default";

    private const string NewMeaning = ": its values change their meaning";

    private static readonly JsonSerializerOptions writing = new() { WriteIndented = true, NewLine = "\n" };

    private static readonly string[] names = [Types, .. EventTypes.All.Select(type => type.Data.Name).Distinct()];

    public static TheoryData<string> Contracts => [.. names];

    [Theory]
    [MemberData(nameof(Contracts))]
    public void A_contract_is_compatible_with_all_its_versions_and_equals_the_last_one(string contract)
    {
        var now = Now(contract);
        var versions = Versions(contract).ToList();
        var broken = from version in versions
                     from change in ContractCheck.Breaks(version.Schema, now)
                     select $"{version.Name}: {change}";
        broken.ShouldBeEmpty();

        if (versions.Count > 0 && JsonNode.DeepEquals(versions[^1].Schema, now)) return;
        Environment.GetEnvironmentVariable("APEXSHOP_WRITE_CONTRACTS").ShouldNotBeNull(
            $"{contract} has a compatible change: APEXSHOP_WRITE_CONTRACTS=1 ./apexshop test Contracts "
            + $"writes it as version {versions.Count + 1}.");
        File.WriteAllText(
            Path.Combine(Folder(), $"{contract}.{versions.Count + 1}.json"), now.ToJsonString(writing) + "\n");
    }

    [Fact]
    public void Every_version_belongs_to_an_existing_contract() =>
        Directory.EnumerateFiles(Folder()).Select(file => Path.GetFileName(file).Split('.')[0]).Distinct()
            .ShouldBe(names, ignoreOrder: true);

    [Fact]
    public void The_list_of_event_types_is_complete() => EventTypes.All.Select(type => type.Name).ShouldBe(
        typeof(EventTypes).GetFields().Where(field => field.IsLiteral)
            .Select(field => (string)field.GetRawConstantValue()!), ignoreOrder: true);

    [Theory]
    [InlineData("remove name", "$.name was removed: consumers read it")]
    [InlineData("rename name", "$.name was removed: consumers read it", "$.title" + NowRequired)]
    [InlineData(
        "retype stock",
        "$.stock was integer and is now string: consumers and old events use the old type",
        "$.stock had format \"int32\" and has now none" + NewMeaning)]
    [InlineData("widen stock", "$.stock had format \"int32\" and has now \"int64\"" + NewMeaning)]
    [InlineData("null name", "$.name is now nullable: consumers that rely on a value break")]
    [InlineData(
        "require description", "$.description is no longer nullable: old events in which it is null cannot be read")]
    [InlineData("optional name", "$.name is now optional: consumers that rely on it break")]
    [InlineData("require colour", "$.colour" + NowRequired)]
    [InlineData("coarsen price", "$.price had multipleOf none and has now 1" + NewMeaning)]
    [InlineData("describe price")]
    [InlineData("add colour")]
    [InlineData("add size")]
    public void A_change_is_breaking_or_not(string change, params string[] breaks) =>
        ContractCheck.Breaks(EventSchemas.OfData(typeof(ProductState)), Changed(change)).ShouldBe(breaks);

    [Fact]
    public void A_change_of_a_list_item_and_a_removed_event_type_are_breaking()
    {
        var order = EventSchemas.OfData(typeof(OrderState));
        order["properties"]!["items"]!["items"]!["properties"]!.AsObject().Remove("quantity");
        ContractCheck.Breaks(EventSchemas.OfData(typeof(OrderState)), order)
            .ShouldBe(["$.items[].quantity was removed: consumers read it"]);

        var types = Now(Types);
        types["properties"]!.AsObject().Remove(EventTypes.OrderPlaced);
        ContractCheck.Breaks(Now(Types), types)
            .ShouldBe([$"$.{EventTypes.OrderPlaced} was removed: consumers read it"]);
        ContractCheck.Breaks(types, Now(Types)).ShouldBeEmpty("a new type is compatible");
    }

    [Fact]
    public void A_member_that_may_be_null_may_become_optional()
    {
        var before = EventSchemas.OfData(typeof(ProductState));
        before["required"]!.AsArray().Add("description");

        ContractCheck.Breaks(before, EventSchemas.OfData(typeof(ProductState))).ShouldBeEmpty();
    }

    private static JsonObject Changed(string change)
    {
        var schema = EventSchemas.OfData(typeof(ProductState));
        var (members, required) = (schema["properties"]!.AsObject(), schema["required"]!.AsArray());
        var text = new JsonObject { ["type"] = "string" };
        switch (change)
        {
            case "remove name": members.Remove("name"); break;
            case "rename name": members.Remove("name"); members["title"] = text; required.Add("title"); break;
            case "retype stock": members["stock"] = text; break;
            case "widen stock": members["stock"]!["format"] = "int64"; break;
            case "null name": members["name"]!["type"] = new JsonArray("string", "null"); break;
            case "require description": members["description"]!["type"] = "string"; break;
            case "optional name": required.Remove(required.Single(name => (string)name! == "name")); break;
            case "require colour": members["colour"] = text; required.Add("colour"); break;
            case "coarsen price": members["price"]!["multipleOf"] = 1; break;
            case "describe price": members["price"]!["description"] = "The price."; break;
            // A nullable member is always written, but old events without it are read as null.
            case "add colour":
                members["colour"] = new JsonObject { ["type"] = new JsonArray("string", "null") };
                required.Add("colour");
                break;
            case "add size": members["size"] = text; break;
        }

        return schema;
    }

    // The event types as members of one object: the resource and the contract of each.
    private static JsonObject Now(string contract)
    {
        if (contract != Types)
            return Parsed(EventSchemas.OfData(EventTypes.All.First(type => type.Data.Name == contract).Data));
        var types = EventTypes.All.OrderBy(type => type.Name, StringComparer.Ordinal).Select(type =>
            KeyValuePair.Create(
                type.Name, (JsonNode?)new JsonObject { ["type"] = type.Data.Name, ["resource"] = type.Resource }));
        return new JsonObject { ["type"] = "object", ["properties"] = new JsonObject(types) };
    }

    private static IEnumerable<(string Name, JsonObject Schema)> Versions(string contract) =>
        Enumerable.Range(1, int.MaxValue - 1).Select(number => Path.Combine(Folder(), $"{contract}.{number}.json"))
            .TakeWhile(File.Exists)
            .Select(file =>
                (Path.GetFileNameWithoutExtension(file), JsonNode.Parse(File.ReadAllText(file))!.AsObject()));

    // DeepEquals compares parsed numbers by their text.
    private static JsonObject Parsed(JsonObject schema) => JsonNode.Parse(schema.ToJsonString())!.AsObject();

    private static string Folder([CallerFilePath] string here = "") =>
        Path.Combine(Path.GetDirectoryName(here)!, "..", "..", "golden", "contracts");
}
