using System.Collections;
using System.ComponentModel.DataAnnotations;

namespace ApexShop.Commands.Api.Commands.Validation;

/// <summary>A list without null: the deserializer does not check the nullability of elements.</summary>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Parameter)]
internal sealed class NoNullsAttribute() : ValidationAttribute("The field {0} must not contain null.")
{
    public override bool IsValid(object? value) =>
        value is not IEnumerable list || list.Cast<object?>().All(element => element is not null);
}
