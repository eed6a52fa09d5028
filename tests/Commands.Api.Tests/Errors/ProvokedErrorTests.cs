using System.Net;
using ApexShop.Errors;

namespace ApexShop.Commands.Api.Tests.Errors;

public sealed class ProvokedErrorTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    private static readonly IReadOnlyList<ErrorCode> catalogue = [.. ErrorCatalogue.Both, .. ErrorCatalogue.Commands];

    public static TheoryData<string> Codes => [.. Provocations.All.Keys];

    [Fact]
    public void Every_code_is_provoked_or_it_is_said_why_not() =>
        Provocations.All.Keys.Concat(Provocations.Unprovoked.Keys).ShouldBe(catalogue.Select(code => code.Code), ignoreOrder: true);

    [Theory]
    [MemberData(nameof(Codes))]
    public async Task A_code_comes_with_its_status_and_all_that_a_problem_has(string code)
    {
        var answer = await Provocations.All[code](app);

        answer.ShouldBeProblem((HttpStatusCode)catalogue.Single(known => known.Code == code).Status, code);
        foreach (var member in (string[])["type", "title", "detail"]) answer.Body.GetProperty(member).GetString().ShouldNotBeNullOrEmpty(member);
        foreach (var inside in (string[])["Npgsql", "SELECT", "Host=", "   at ", "_fkey", "ApexShop."]) answer.Text.ShouldNotContain(inside);
    }
}
