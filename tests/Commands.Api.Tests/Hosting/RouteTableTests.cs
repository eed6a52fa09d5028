using ApexShop.Commands.Api.Hosting;
using ApexShop.TestKit;
using ApexShop.TestKit.OpenApi;

namespace ApexShop.Commands.Api.Tests.Hosting;

public sealed class RouteTableTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    private static readonly string[] common = ["401", "403", "408", "413", "415", "429", "500", "503"];

    [Fact]
    public async Task The_table_of_the_docs_has_every_route_of_the_running_API()
    {
        var operations = (await ApiDescription.ReadAsync(app.Http)).Operations.ToDictionary(operation => operation.Id);
        var lines = app.Lines().Where(line => line.IsDescribed).ToList();

        lines.Count.ShouldBeGreaterThan(20);
        DocTable.ShouldBe(
            "commands.md", "| endpoint | what it does | key | done | refused |",
            [.. lines.Select(line => Row(line, operations[line.Name]))]);
    }

    private static string Row(EndpointLine line, DescribedOperation operation)
    {
        var what = ((string)operation.Json["description"]!).Split(" Needs a key")[0];
        var done = operation.Statuses.Single(status => status[0] == '2');
        // That an endpoint without a key has one of these statuses is its own.
        var usual = common.Except(line.Needs == AccessMatrix.Public ? ["401", "503"] : []);
        var refused = string.Join(' ', operation.Statuses.Where(status => status[0] > '2').Except(usual));
        return $"| {line.Method} {line.Pattern} | {what} | {line.Needs} | {done} | {refused} |";
    }
}
