using ApexShop.Prove.Faults;

namespace ApexShop.Prove.Tests;

public sealed class OperatorReplyReaderTests
{
    private const string Difference =
        """{"kind":"difference","resource":"products","id":17,"segment":null,"what":"state","fields":[]}""";

    [Fact]
    public void The_first_differences_of_an_audit_are_named()
    {
        var text = $"{Difference}\n" + """{"kind":"summary","compared":9,"different":1,"notCompared":0}""";
        OperatorReplyReader.Read("audit", 200, text).Result.ShouldBe($"found 1 differences: {Difference}");
    }

    [Fact]
    public void An_audit_without_a_difference_has_the_usual_outcome() => OperatorReplyReader
        .Read("audit", 200, """{"kind":"summary","compared":9,"different":0,"notCompared":3}""")
        .ShouldBe(new("audit", 200));
}
