using System.Net;
using System.Text.Json;

namespace ApexShop.Commands.Api.Tests;

/// <summary>What came back, read to the end.</summary>
public sealed record Answer(HttpStatusCode Status, string? ETag, Uri? Location, string? MediaType, string Text)
{
    public JsonElement Body => JsonDocument.Parse(Text).RootElement;

    public int Id => Body.GetProperty("id").GetInt32();

    public string Code => Body.GetProperty("code").GetString()!;

    public static async Task<Answer> ReadAsync(HttpResponseMessage response) => new(
        response.StatusCode,
        response.Headers.ETag?.ToString(),
        response.Headers.Location,
        response.Content.Headers.ContentType?.MediaType,
        await response.Content.ReadAsStringAsync());

    public void ShouldBeCreated(string resource)
    {
        Status.ShouldBe(HttpStatusCode.Created, Text);
        Location!.ToString().ShouldBe($"https://shop.example/q/{resource}/{Id}");
        ShouldCarryVersion(1);
    }

    public void ShouldBeReplaced(int id, long version)
    {
        Status.ShouldBe(HttpStatusCode.OK, Text);
        Id.ShouldBe(id);
        ShouldCarryVersion(version);
    }

    public void ShouldBeProblem(HttpStatusCode status, string code)
    {
        Status.ShouldBe(status, Text);
        MediaType.ShouldBe("application/problem+json");
        Code.ShouldBe(code);
        Body.GetProperty("type").GetString().ShouldNotBeNullOrEmpty();
        Body.GetProperty("traceId").GetString().ShouldNotBeNullOrEmpty();
        Body.GetProperty("status").GetInt32().ShouldBe((int)status);
    }

    private void ShouldCarryVersion(long version)
    {
        ETag.ShouldBe($"\"{version}\"");
        Body.GetProperty("version").GetInt64().ShouldBe(version);
    }
}
