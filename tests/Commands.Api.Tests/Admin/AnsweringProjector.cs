using ApexShop.TestKit.OpenApi;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace ApexShop.Commands.Api.Tests.Admin;

/// <summary>
/// Stands where a Projector is and answers every request with the example of the description, so that what the API
/// hands on can be tested without documents; what a Projector really answers is tested with a real one.
/// </summary>
internal sealed class AnsweringProjector : IAsyncDisposable
{
    // What no Projector knows.
    private const string Unknown = "2147483647";
    private const string NoResource = "carts";

    private readonly WebApplication app;
    private Task<ApiDescription>? description;

    private AnsweringProjector(WebApplication app) => this.app = app;

    public string Url => app.Urls.Single();

    /// <summary>Reads the description, and knows it from its first request on.</summary>
    public Func<Task<ApiDescription>> Describe { get; set; } = null!;

    public static async Task<AnsweringProjector> StartAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Logging.ClearProviders();
        var projector = new AnsweringProjector(builder.Build());
        projector.app.Run(projector.AnswerAsync);
        await projector.app.StartAsync();
        return projector;
    }

    public ValueTask DisposeAsync() => app.DisposeAsync();

    private async Task AnswerAsync(HttpContext http)
    {
        var request = http.Request.Path.Value!.Split('/');
        if (request.Intersect([Unknown, NoResource]).Any())
        {
            var code = request.Contains(NoResource) ? "path.unknown" : request.Contains("parked") ? "parked.not_found" : "dead_letter.not_found";
            await TypedResults.Problem("There is none.", statusCode: 404, extensions: [new("code", code), new("traceId", "made-up")]).ExecuteAsync(http);
            return;
        }

        var operation = (await (description ??= Describe())).Operations.Where(one => one.Method == http.Request.Method && Matches(one.Path.Split('/'), request))
            .MinBy(one => one.Path.Count(character => character == '{'))!;
        var status = int.Parse(operation.Statuses.First(one => one[0] == '2'), System.Globalization.CultureInfo.InvariantCulture);
        http.Response.StatusCode = status;
        if (operation.Response(status)!["content"]?.AsObject().First() is not { } content) return;
        http.Response.ContentType = content.Key;
        var example = content.Value!["example"]!;
        await http.Response.WriteAsync(example.GetValueKind() == System.Text.Json.JsonValueKind.String ? (string)example! : example.ToJsonString());
    }

    private static bool Matches(string[] pattern, string[] path) =>
        pattern.Length == path.Length && pattern.Zip(path).All(step => step.First.StartsWith('{') || step.First == step.Second);
}
