using ApexShop.Prove.Checks;
using ApexShop.Prove.Clients;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Tests;

public sealed class ReplyReaderTests
{
    [Theory]
    [InlineData("products.create", "")]
    [InlineData("products.create", """{"id":17,""")]
    [InlineData("products.create", """{"id":17}""")]
    [InlineData("products.document", "<html>")]
    [InlineData("products.stream", """{"id":17,"version":1""")]
    [InlineData("products.bulk-replace", """{"chunk":0,"items":[]}""")]
    public void A_body_that_is_not_what_it_should_be_is_no_missing_answer(string operation, string text)
    {
        var attempt = Read(operation, text);
        (attempt.Outcome, attempt.Code).ShouldBe((Outcome.Unknown, ReplyReader.Malformed));
        ViolationsOf(attempt).ShouldHaveSingleItem().ShouldContain(ReplyReader.Malformed);
    }

    [Theory]
    [InlineData("internal", 1)]
    [InlineData("database.unavailable", 0)]
    [InlineData("process.stopping", 0)]
    public void The_code_of_an_error_line_is_judged(string code, int violations)
    {
        var attempt = Read("products.export", $$$"""{"error":{"code":"{{{code}}}","after":17}}""");
        (attempt.Outcome, attempt.Code).ShouldBe((Outcome.Unknown, code));
        ViolationsOf(attempt).Count().ShouldBe(violations);
    }

    [Fact]
    public void No_response_is_no_violation()
    {
        var attempt = ReplyReader.Read(new() { Operation = "products.create" }, null);
        attempt.Outcome.ShouldBe(Outcome.Unknown);
        ViolationsOf(attempt).ShouldBeEmpty();
    }

    private static Attempt Read(string operation, string text) =>
        ReplyReader.Read(new() { Operation = operation }, new(200, text, Token: null, IsReplayed: false, ETag: null));

    private static IEnumerable<string> ViolationsOf(Attempt attempt) =>
        AnswerCheck.Find(new(new RunHeader(1, 1, 1, "none", 0, true, 0), [attempt], [], new()));
}
