using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Nodes;
using ApexShop.Events;

namespace ApexShop.Shared.Tests.Contracts;

/// <summary>
/// The event contracts against every version of them there ever was, in golden/contracts. Changing or removing what is there
/// fails and says what it breaks. What adds to a contract makes its next version:
/// <c>APEXSHOP_WRITE_CONTRACTS=1 ./apexshop test Contracts</c>.
/// </summary>
public sealed class ContractTests
{
    private const string Types = "types";

    private static readonly JsonSerializerOptions writing = new() { WriteIndented = true, NewLine = "\n" };

    private static readonly string[] names = [Types, .. EventTypes.All.Select(type => type.Data.Name).Distinct()];

    public static TheoryData<string> Contracts => [.. names];

    [Theory]
    [MemberData(nameof(Contracts))]
    public void A_contract_breaks_no_version_of_it_and_is_the_last_of_them(string contract)
    {
        var now = Now(contract);
        var versions = Versions(contract).ToList();
        versions.SelectMany(version => ContractCheck.Breaks(version.Schema, now).Select(wrong => $"{version.Name}: {wrong}")).ShouldBeEmpty();

        if (versions.Count > 0 && JsonNode.DeepEquals(versions[^1].Schema, now)) return;
        Environment.GetEnvironmentVariable("APEXSHOP_WRITE_CONTRACTS").ShouldNotBeNull(
            $"{contract} has something new, which breaks nothing: APEXSHOP_WRITE_CONTRACTS=1 ./apexshop test Contracts makes it version {versions.Count + 1}.");
        File.WriteAllText(Path.Combine(Folder(), $"{contract}.{versions.Count + 1}.json"), now.ToJsonString(writing) + "\n");
    }

    [Fact]
    public void Every_version_is_one_of_a_contract_that_there_still_is() =>
        Directory.EnumerateFiles(Folder()).Select(file => Path.GetFileName(file).Split('.')[0]).Distinct().ShouldBe(names, ignoreOrder: true);

    [Fact]
    public void Every_event_type_is_in_the_list() => EventTypes.All.Select(type => type.Name).ShouldBe(
        typeof(EventTypes).GetFields().Where(field => field.IsLiteral).Select(field => (string)field.GetRawConstantValue()!), ignoreOrder: true);

    [Theory]
    [InlineData("remove name", "$.name is gone: consumers read it")]
    [InlineData("rename name", "$.name is gone: consumers read it", "$.title is required now: events that were written before do not have it; let it be null or give it a default")]
    [InlineData("retype stock", "$.stock was integer and is string now: consumers and old events have the other", "$.stock had format \"int32\" and has none now: what is written there means something else")]
    [InlineData("widen stock", "$.stock had format \"int32\" and has \"int64\" now: what is written there means something else")]
    [InlineData("null name", "$.name may be null now: consumers that rely on it break")]
    [InlineData("insist description", "$.description may not be null any more: events in which it is null can no longer be read")]
    [InlineData("optional name", "$.name may be missing now: consumers that rely on it break")]
    [InlineData("require colour", "$.colour is required now: events that were written before do not have it; let it be null or give it a default")]
    [InlineData("coarsen price", "$.price had multipleOf 0.01 and has 1 now: what is written there means something else")]
    [InlineData("add colour")]
    [InlineData("add size")]
    public void A_change_is_a_break_or_not(string change, params string[] breaks) =>
        ContractCheck.Breaks(EventSchemas.OfData(typeof(ProductState)), Changed(change)).ShouldBe(breaks);

    [Fact]
    public void A_change_within_a_list_and_a_renamed_type_are_breaks_too()
    {
        var order = EventSchemas.OfData(typeof(OrderState));
        order["properties"]!["items"]!["items"]!["properties"]!.AsObject().Remove("quantity");
        ContractCheck.Breaks(EventSchemas.OfData(typeof(OrderState)), order).ShouldBe(["$.items[].quantity is gone: consumers read it"]);

        var types = Now(Types);
        types["properties"]!.AsObject().Remove(EventTypes.OrderPlaced);
        ContractCheck.Breaks(Now(Types), types).ShouldBe([$"$.{EventTypes.OrderPlaced} is gone: consumers read it"]);
        ContractCheck.Breaks(types, Now(Types)).ShouldBeEmpty("a new type is no break");
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
            case "insist description": members["description"]!["type"] = "string"; break;
            case "optional name": required.Remove(required.Single(name => (string)name! == "name")); break;
            case "require colour": members["colour"] = text; required.Add("colour"); break;
            case "coarsen price": members["price"]!["multipleOf"] = 1; break;
            // Always written, and null where it is not known: events from before it are read as if it were.
            case "add colour": members["colour"] = new JsonObject { ["type"] = new JsonArray("string", "null") }; required.Add("colour"); break;
            case "add size": members["size"] = text; break;
        }

        return schema;
    }

    // The types as if they were members of one object: what each speaks of, and which contract its data has.
    private static JsonObject Now(string contract)
    {
        if (contract != Types) return Parsed(EventSchemas.OfData(EventTypes.All.First(type => type.Data.Name == contract).Data));
        var types = EventTypes.All.OrderBy(type => type.Name, StringComparer.Ordinal).Select(type =>
            KeyValuePair.Create(type.Name, (JsonNode?)new JsonObject { ["type"] = type.Data.Name, ["resource"] = type.Resource }));
        return new JsonObject { ["type"] = "object", ["properties"] = new JsonObject(types) };
    }

    private static IEnumerable<(string Name, JsonObject Schema)> Versions(string contract) =>
        Enumerable.Range(1, int.MaxValue - 1).Select(number => Path.Combine(Folder(), $"{contract}.{number}.json")).TakeWhile(File.Exists)
            .Select(file => (Path.GetFileNameWithoutExtension(file), JsonNode.Parse(File.ReadAllText(file))!.AsObject()));

    // Numbers compare by their text once they have been written.
    private static JsonObject Parsed(JsonObject schema) => JsonNode.Parse(schema.ToJsonString())!.AsObject();

    private static string Folder([CallerFilePath] string here = "") => Path.Combine(Path.GetDirectoryName(here)!, "..", "golden", "contracts");
}
