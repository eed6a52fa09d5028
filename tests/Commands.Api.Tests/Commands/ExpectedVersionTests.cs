using System.Net;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Tests.Commands;

/// <summary>If-Match on every PUT and DELETE of one resource.</summary>
public sealed class ExpectedVersionTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    public static TheoryData<string> Resources => [.. Resource.Names];

    [Theory]
    [MemberData(nameof(Resources))]
    public async Task Another_version_is_refused_with_the_current_one_and_changes_nothing(string resource)
    {
        var (id, body) = await app.AnyAsync(resource);
        (await app.PutAsync($"/{resource}/{id}", body)).ShouldBeReplaced(id, 2);
        var before = await app.ScalarAsync<long>("SELECT max(id) FROM shop.outbox");

        foreach (var stale in new[] { "\"1\"", "\"3\"", "W/\"1\"", "\"1.2\"", "\"\"", "\"02\"", "2 3", "" })
        {
            foreach (var answer in new[]
            {
                await app.PutAsync($"/{resource}/{id}", body, stale), await app.DeleteAsync($"/{resource}/{id}", stale),
            })
            {
                answer.ShouldBeProblem(HttpStatusCode.PreconditionFailed, "version.mismatch");
                answer.Body.GetProperty("version").GetInt64().ShouldBe(2);
                answer.ETag.ShouldBeNull();
            }
        }

        (await app.VersionAsync(resource, id)).ShouldBe(2);
        (await app.ScalarAsync<long>("SELECT max(id) FROM shop.outbox")).ShouldBe(before);
    }

    [Theory]
    [MemberData(nameof(Resources))]
    public async Task The_current_version_is_accepted(string resource)
    {
        var (id, body) = await app.AnyAsync(resource);

        var replaced = await app.PutAsync($"/{resource}/{id}", body, "\"1\"");
        replaced.ShouldBeReplaced(id, 2);

        (await app.DeleteAsync($"/{resource}/{id}", replaced.ETag)).Status.ShouldBe(HttpStatusCode.NoContent);
    }

    [Theory]
    [MemberData(nameof(Resources))]
    public async Task Of_what_is_not_there_no_version_is_current(string resource)
    {
        var (id, body) = await app.AnyAsync(resource);
        await app.DeleteAsync($"/{resource}/{id}");

        (await app.PutAsync($"/{resource}/{id}", body, "*")).Status.ShouldBe(HttpStatusCode.NotFound);
        (await app.DeleteAsync($"/{resource}/{id}", "*")).Status.ShouldBe(HttpStatusCode.NotFound);
    }
}
