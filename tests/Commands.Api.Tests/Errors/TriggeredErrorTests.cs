using System.Net;
using ApexShop.Errors;

namespace ApexShop.Commands.Api.Tests.Errors;

public sealed class TriggeredErrorTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    private static readonly IReadOnlyList<ErrorCode> catalogue = [.. ErrorCatalogue.Both, .. ErrorCatalogue.Commands];

    public static TheoryData<string> Codes => [.. ErrorTriggers.All.Keys];

    [Fact]
    public void Every_code_is_triggered_or_has_a_reason_why_not() =>
        ErrorTriggers.All.Keys.Concat(ErrorTriggers.Untriggered.Keys)
            .ShouldBe(catalogue.Select(code => code.Code), ignoreOrder: true);

    [Theory]
    [MemberData(nameof(Codes))]
    public async Task A_code_has_its_status_and_all_members_of_a_problem(string code)
    {
        var answer = await ErrorTriggers.All[code](app);

        answer.ShouldBeProblem((HttpStatusCode)catalogue.Single(known => known.Code == code).Status, code);
        foreach (var member in (string[])["type", "title", "detail"])
            answer.Body.GetProperty(member).GetString().ShouldNotBeNullOrEmpty(member);
        foreach (var inside in (string[])["Npgsql", "SELECT", "Host=", "   at ", "_fkey", "ApexShop."])
            answer.Text.ShouldNotContain(inside);
    }
}
