using ApexShop.Projector.Documents;
using ApexShop.Projector.Operations.Rebuilding;
using ApexShop.Resources;

namespace ApexShop.Projector.Tests.Operations.Rebuilding;

public sealed class DerivedValuesFromLogTests
{
    private readonly DerivedValuesFromLog values = new(
        Resource.Names.ToDictionary(name => name, _ => new List<StateChange>()));

    [Fact]
    public void Every_derived_value_is_computed()
    {
        var declared = typeof(DerivedValue).GetFields();
        declared.ShouldNotBeEmpty();
        foreach (var field in declared)
        {
            var of = typeof(DerivedValuesFromLog).GetMethod(nameof(DerivedValuesFromLog.Of))!
                .MakeGenericMethod(field.FieldType.GetGenericArguments());
            Should.NotThrow(() => of.Invoke(values, [field.GetValue(null)]), field.Name);
        }
    }

    [Fact]
    public void A_derived_value_that_is_not_computed_is_named() =>
        Should.Throw<InvalidOperationException>(
            () => values.Of(new DerivedValue<int>(new("id", "SELECT id, 1 FROM read.brands"), row => row.GetInt32(1))))
            .Message.ShouldEndWith("SELECT id, 1 FROM read.brands");
}
