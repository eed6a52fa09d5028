using System.Net;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Tests.Concurrency;

/// <summary>
/// If-Match is compared with the version of the locked row. All requests wait for the row at the same time, so one that
/// had compared before would decide on a version that is no longer current.
/// </summary>
public sealed class LockedComparisonTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    private const int Writers = 16;

    public static TheoryData<string> Resources => [.. Resource.Names];

    [Theory]
    [MemberData(nameof(Resources))]
    public async Task Of_writers_that_wait_with_the_same_If_Match_one_succeeds(string resource)
    {
        var (id, body) = await app.AnyAsync(resource);
        await using var held = await HeldRow.LockAsync(app, resource, id);
        var writers = Enumerable.Range(0, Writers)
            .Select(_ => app.PutAsync($"/{resource}/{id}", body, "\"1\"")).ToList();
        await held.WaitedForByAsync(Writers);
        await held.CommitAsync();

        var answers = await Task.WhenAll(writers);

        answers.Where(answer => answer.Status == HttpStatusCode.OK).ShouldHaveSingleItem().ShouldBeReplaced(id, 2);
        foreach (var refused in answers.Where(answer => answer.Status != HttpStatusCode.OK)) ShouldHaveSeen(refused, 2);
        (await app.VersionAsync(resource, id)).ShouldBe(2);
    }

    [Theory]
    [MemberData(nameof(Resources))]
    public async Task A_deletion_that_waits_is_refused_when_the_row_has_changed(string resource)
    {
        var (id, _) = await app.AnyAsync(resource);
        await using var held = await HeldRow.LockAsync(app, resource, id);
        await held.ExecuteAsync($"UPDATE shop.{resource} SET version = 2 WHERE id = {id}");
        var deletion = app.DeleteAsync($"/{resource}/{id}", "\"1\"");
        await held.WaitedForByAsync(1);
        await held.CommitAsync();

        ShouldHaveSeen(await deletion, 2);
        (await app.VersionAsync(resource, id)).ShouldBe(2);
    }

    private static void ShouldHaveSeen(Answer refused, long version)
    {
        refused.ShouldBeProblem(HttpStatusCode.PreconditionFailed, "version.mismatch");
        refused.Body.GetProperty("version").GetInt64().ShouldBe(version);
    }
}
