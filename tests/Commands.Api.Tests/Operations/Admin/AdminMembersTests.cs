using System.Text.Json.Nodes;
using ApexShop.TestKit.OpenApi;
using ApexShop.TestKit.Packages;

namespace ApexShop.Commands.Api.Tests.Operations.Admin;

/// <summary>
/// A bulk change of the page replaces documents with the members of resources.js: it would remove the values of any
/// other one.
/// </summary>
public sealed class AdminMembersTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task What_the_page_changes_in_bulk_has_every_member_of_its_replacement()
    {
        var description = await ApiDescription.ReadAsync(app.Http);
        var changed = (await ResourcesAsync()).Where(resource => resource.Value!["bulk"] is not null).ToList();

        changed.ShouldNotBeEmpty();
        foreach (var (name, resource) in changed)
        {
            var members = resource!["members"]!.AsArray().Select(member => (string)member!["name"]!);
            members.Concat(["id", "version"]).ShouldBe(ItemMembers(description, name), ignoreOrder: true, name);
        }
    }

    private static IEnumerable<string> ItemMembers(ApiDescription description, string name)
    {
        var replacement = description.Operations.Single(one => (one.Method, one.Path) == ("PUT", $"/{name}/bulk"));
        var list = description.Resolve(replacement.Body!["content"]!["application/json"]!["schema"]!);
        return description.Resolve(list["items"]!)["properties"]!.AsObject().Select(member => member.Key);
    }

    private static async Task<JsonObject> ResourcesAsync()
    {
        using var programs = new Programs();
        programs.Write("package.json", """{ "type": "module" }""");
        programs.Copy("src", "Commands.Api", "Operations", "Admin", "Page", "resources.js");
        programs.Write(
            "print.js", "import { resources } from './resources.js';\nconsole.log(JSON.stringify(resources));\n");
        var output = await programs.RunAsync(new Dictionary<string, string>(), "node", "print.js");
        return JsonNode.Parse(output.Split('\n').Single(line => line.StartsWith('{')))!.AsObject();
    }
}
