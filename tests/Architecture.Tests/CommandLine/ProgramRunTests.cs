using System.Diagnostics;
using ApexShop.TestKit;

namespace ApexShop.Architecture.Tests.CommandLine;

/// <summary>The programs that the tests run.</summary>
public sealed class ProgramRunTests
{
    [Theory]
    [InlineData("sleep 600; true")]
    [InlineData("sleep 600 & sleep 600; true")]
    public async Task A_program_that_does_not_end_is_killed_with_its_children_and_named(string statements)
    {
        var start = ProgramRun.StartOf("bash", "-c", statements, "waits");
        var clock = Stopwatch.StartNew();

        var failure = await Should.ThrowAsync<TimeoutException>(
            () => ProgramRun.OfAsync(start, TimeSpan.FromSeconds(1)));

        failure.Message.ShouldEndWith($": bash -c {statements} waits");
        clock.Elapsed.ShouldBeLessThan(TimeSpan.FromMinutes(1));
    }
}
