namespace ApexShop.Architecture.Tests.CommandLine;

/// <summary>`test mutations` refuses a name that no mutation has, before it starts anything.</summary>
public sealed class MutationNameTests : IDisposable
{
    private readonly ScriptCopy script = new();

    public void Dispose() => script.Dispose();

    [Theory]
    [InlineData("outbox", 0, "servers\nran outbox\n", "")]
    [InlineData("", 0, "servers\nran \n", "")]
    [InlineData("outbox tills", 1, "", "No mutation has 'tills' in its name")]
    public async Task Every_name_is_of_a_mutation(string names, int exitCode, string printed, string error)
    {
        script.Write("tests/Mutations/outbox/order.patch", "");
        var result = await script.CallAsync($$"""
            need_dotnet() { :; }
            start_test_servers() { echo servers; }
            run_mutations() { echo "ran $*"; }
            run_verb test mutations {{names}}
            """);
        result.ExitCode.ShouldBe(exitCode, result.Error);
        result.Output.ShouldBe(printed);
        result.Error.ShouldContain(error);
    }
}
